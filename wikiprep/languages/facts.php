<?php
// Prints what MediaWiki knows of each language, one JSON object a line, with the fallback languages applied.
// Called by generate.py; run it as a maintenance script of a MediaWiki tree. Facts only: names, words and patterns.
require_once __DIR__ . '/Maintenance.php';

class LanguageFacts extends Maintenance {
	public function execute() {
		$services = MediaWiki\MediaWikiServices::getInstance();
		$names = $services->getLanguageNameUtils();
		$cache = $services->getLocalisationCache();
		foreach ( array_keys( $names->getLanguageNames( null, 'mwfile' ) ) as $code ) {
			$item = static function ( $key ) use ( $cache, $code ) {
				return $cache->getItem( $code, $key );
			};
			echo json_encode( [
				'code' => $code,
				'fallback' => $item( 'fallbackSequence' ),
				'namespaces' => (object)$item( 'namespaceNames' ),
				'aliases' => (object)$item( 'namespaceAliases' ),
				'gender' => (object)$item( 'namespaceGenderAliases' ),
				'redirect' => $item( 'magicWords' )['redirect'],
				'trail' => $item( 'linkTrail' ),
				'prefix' => $item( 'linkPrefixExtension' ) ? $item( 'linkPrefixCharset' ) : '',
			], JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ), "\n";
		}
	}
}

$maintClass = LanguageFacts::class;
require_once RUN_MAINTENANCE_IF_MAIN;
