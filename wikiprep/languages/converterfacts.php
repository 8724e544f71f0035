<?php
// Prints the conversion tables of MediaWiki's language converters, one JSON object a line: variant -> pairs, and what single converters have beside.
// Called by generate_converters.py; run it as a maintenance script of a MediaWiki tree. Facts only.
require_once __DIR__ . '/Maintenance.php';

class ConverterFacts extends Maintenance {
	private const BESIDE = [ 'mCyrl2LatnExceptions', 'mLatn2CyrlExceptions', 'mCyrl2LatnPatterns', 'mLatn2CyrlPatterns', 'mCyrlCleanUpRegexes' ];
	private const MADE = [ 'getMCyrl2Latn', 'getMLatn2Cyrl', 'getMCyLa2Arab' ];

	public function execute() {
		$services = MediaWiki\MediaWikiServices::getInstance();
		foreach ( array_keys( $services->getLanguageNameUtils()->getLanguageNames( null, 'mwfile' ) ) as $code ) {
			$converter = $services->getLanguageConverterFactory()->getLanguageConverter( $services->getLanguageFactory()->getLanguage( $code ) );
			if ( !$converter->hasVariants() || $converter instanceof LanguageConverterIcu ) { continue; }
			$class = new ReflectionClass( $converter );
			// The tables of the code alone: those that a wiki's own pages add are loaded elsewhere.
			$this->call( $converter, $class, 'loadDefaultTables' );
			$tables = $class->getProperty( 'mTables' );
			$tables->setAccessible( true );
			$row = [ 'code' => $code, 'version' => MW_VERSION, 'variants' => $converter->getVariants(), 'tables' => [], 'beside' => [],
				'levels' => (object)array_filter( $converter->getManualLevel(), static fn ( $level ) => $level !== 'bidirectional' ) ];
			foreach ( $tables->getValue( $converter ) as $name => $table ) { $row['tables'][$name] = (object)$table->getArray(); }
			foreach ( self::BESIDE as $name ) {
				if ( $class->hasProperty( $name ) ) { $row['beside'][$name] = (object)$class->getProperty( $name )->getValue( $converter ); }
			}
			foreach ( self::MADE as $name ) {
				if ( $class->hasMethod( $name ) ) { $row['beside'][$name] = (object)$this->call( $converter, $class, $name ); }
			}
			if ( $code === 'kk' ) { $row['beside']['letters'] = [ 'cyrillic' => KK_C_UC . KK_C_LC, 'latin' => KK_L_UC . KK_L_LC, 'hamza' => H_HAMZA ]; }
			echo json_encode( $row, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES ), "\n";
		}
	}

	private function call( $converter, ReflectionClass $class, string $name ) {
		$method = $class->getMethod( $name );
		$method->setAccessible( true );
		return $method->invoke( $converter );
	}
}

$maintClass = ConverterFacts::class;
require_once RUN_MAINTENANCE_IF_MAIN;
