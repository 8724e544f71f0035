<?php
// Renders wikitext to Parsoid's HTML, with the MediaWiki of ../shared/oracle. One JSON object a line in, one out.
// In:  {"title", "text"}; a first line {"templates": {"Template:Name": "wikitext"}} gives the pages that may be transcluded. A template
//      that is not given renders as nothing. Out: {"title", "html", "redirect", "error"}; html is the body's inside.
require_once getenv( 'WIKIPREP_ORACLE_WIKI' ) . '/maintenance/Maintenance.php';

class RenderParsoid extends Maintenance {
	public function execute() {
		$services = MediaWiki\MediaWikiServices::getInstance();
		// The tags that ../shared/oracle/render.php gives its parser; Parsoid asks the old parser for those that it does not know itself.
		$services->getHookContainer()->register( 'ParserFirstCallInit', static function ( $parser ) {
			foreach ( [ 'math', 'chem', 'score', 'mapframe', 'maplink', 'timeline', 'graph', 'hiero', 'templatestyles', 'section',
				'categorytree', 'inputbox', 'phonos' ] as $tag ) {
				$parser->setHook( $tag, static function () use ( $tag ) {
					return "<span class=\"oracle-$tag\"></span>";
				} );
			}
		} );
		$parsoid = new Wikimedia\Parsoid\Parsoid( $services->getParsoidSiteConfig(), $services->getParsoidDataAccess() );
		$pages = [];
		while ( ( $line = fgets( STDIN ) ) !== false ) {
			$row = json_decode( $line, true );
			if ( isset( $row['templates'] ) ) {
				$pages = $row['templates'];
				continue;
			}
			$out = [ 'title' => $row['title'], 'html' => '', 'redirect' => null, 'error' => null ];
			try {
				$title = Title::newFromText( $row['title'] );
				$content = new WikitextContent( $row['text'] );
				if ( $redirect = $content->getRedirectTarget() ) {
					$out['redirect'] = $redirect->getFullText();
				} else {
					$revision = new MediaWiki\Revision\MutableRevisionRecord( $title );
					$revision->setSlot( MediaWiki\Revision\SlotRecord::newUnsaved( 'main', $content ) );
					$config = $services->getParsoidPageConfigFactory()->create( $title, null, $revision );
					$config->getParserOptions()->setTemplateCallback( static function ( $wanted ) use ( $pages ) {
						$title = $wanted instanceof Title ? $wanted : Title::newFromLinkTarget( $wanted );
						for ( $hop = 0; $hop < 3; $hop++ ) {
							$text = $pages[$title->getPrefixedText()] ?? null;
							$next = $text === null ? null : ( new WikitextContent( $text ) )->getRedirectTarget();
							if ( !$next ) { break; }
							$title = $next;
						}
						return [ 'text' => $text ?? '', 'finalTitle' => $title, 'deps' => [] ];
					} );
					$out['html'] = $parsoid->wikitext2html( $config, [ 'body_only' => true, 'wrapSections' => true, 'discardDataParsoid' => true ] );
				}
			} catch ( Throwable $e ) {
				$out['error'] = get_class( $e ) . ': ' . $e->getMessage();
			}
			echo json_encode( $out, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE ), "\n";
		}
	}
}

$maintClass = RenderParsoid::class;
require_once RUN_MAINTENANCE_IF_MAIN;
