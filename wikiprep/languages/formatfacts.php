<?php
// Prints how MediaWiki writes dates and plurals in each language, one JSON object a line, with the fallback languages applied;
// the last line has the languages' own names. Called by generate_formats.py; run it as a maintenance script. Facts only.
require_once __DIR__ . '/Maintenance.php';

class FormatFacts extends Maintenance {
	public function execute() {
		$services = MediaWiki\MediaWikiServices::getInstance();
		$cache = $services->getLocalisationCache();
		$names = $services->getLanguageNameUtils();
		$kinds = [ 'short' => Language::MONTH_ABBREVIATED_MESSAGES, 'short_days' => Language::WEEKDAY_ABBREVIATED_MESSAGES,
			'iranian' => Language::IRANIAN_CALENDAR_MONTHS_MESSAGES, 'hijri' => Language::HIJRI_CALENDAR_MONTH_MESSAGES,
			'hebrew' => Language::HEBREW_CALENDAR_MONTHS_MESSAGES, 'hebrew_genitives' => Language::HEBREW_CALENDAR_MONTH_GENITIVE_MESSAGES ];
		foreach ( array_keys( $names->getLanguageNames( null, 'mwfile' ) ) as $code ) {
			$row = [ 'code' => $code, 'plural' => array_values( $cache->getItem( $code, 'pluralRules' ) ?: [] ) ];
			foreach ( $kinds as $kind => $keys ) {
				$row['calendar'][$kind] = array_map( static function ( $key ) use ( $cache, $code ) {
					return $cache->getSubitem( $code, 'messages', $key );
				}, array_values( $keys ) );
			}
			echo json_encode( $row, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ), "\n";
		}
		echo json_encode( [ 'own_names' => $names->getLanguageNames( null, 'all' ) ], JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ), "\n";
	}
}

$maintClass = FormatFacts::class;
require_once RUN_MAINTENANCE_IF_MAIN;
