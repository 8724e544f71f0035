<?php
// Prints MediaWiki's magic words and language variants, one JSON object a line, with the fallback languages applied.
// Called by generate_words.py; run it as a maintenance script of a MediaWiki tree. Facts only.
require_once __DIR__ . '/Maintenance.php';

class WordFacts extends Maintenance {
	public function execute() {
		$services = MediaWiki\MediaWikiServices::getInstance();
		$cache = $services->getLocalisationCache();
		$factory = $services->getMagicWordFactory();
		$parser = $services->getParser();
		$parser->firstCallInit();
		$kinds = [ 'switches' => $factory->getDoubleUnderscoreArray()->getNames(), 'variables' => $factory->getVariableIDs(),
			'functions' => array_merge( $parser->getFunctionHooks(), [ 'default' ] ) ]; // `#switch`'s word for any other case
		foreach ( array_keys( $services->getLanguageNameUtils()->getLanguageNames( null, 'mwfile' ) ) as $code ) {
			$words = $cache->getItem( $code, 'magicWords' );
			$row = [ 'code' => $code ];
			foreach ( $kinds as $kind => $ids ) {
				foreach ( $ids as $id ) { if ( isset( $words[$id] ) ) { $row[$kind][$id] = $words[$id]; } }
			}
			foreach ( $words as $id => $word ) { if ( str_starts_with( $id, 'img_' ) ) { $row['image'][$id] = $word; } }
			$converter = $services->getLanguageConverterFactory()->getLanguageConverter( $services->getLanguageFactory()->getLanguage( $code ) );
			if ( $converter->hasVariants() ) {
				$row['converter'] = [ 'main' => $converter->getMainCode(), 'variants' => $converter->getVariants(), 'fallbacks' => $converter->getVariantsFallbacks(),
					'codes' => array_map( 'LanguageCode::bcp47', array_combine( $converter->getVariants(), $converter->getVariants() ) ),
					'flags' => $converter->getFlags(), 'manual' => $converter->getManualLevel(), 'default' => $converter->getPreferredVariant(),
					'names' => array_intersect_key( $converter->getVariantNames(), array_flip( $converter->getVariants() ) ) ];
			}
			// Numbers as `formatnum` writes them: the styles are read off these samples.
			$language = $services->getLanguageFactory()->getLanguage( $code );
			$row['numbers'] = array_map( [ $language, 'formatNum' ], [ '-1234567890.5', '1234', '12345', '123456' ] );
			$row['digits'] = array_map( [ $language, 'formatNumNoSeparators' ], range( 0, 9 ) );
			$row['rtl'] = $language->isRTL();
			foreach ( [ 'names' => Language::MONTH_MESSAGES, 'genitives' => Language::MONTH_GENITIVE_MESSAGES, 'days' => Language::WEEKDAY_MESSAGES ] as $kind => $keys ) {
				$row['calendar'][$kind] = array_map( static function ( $key ) use ( $cache, $code ) {
					return $cache->getSubitem( $code, 'messages', $key );
				}, array_values( $keys ) );
			}
			echo json_encode( $row, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ), "\n";
		}
	}
}

$maintClass = WordFacts::class;
require_once RUN_MAINTENANCE_IF_MAIN;
