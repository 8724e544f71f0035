"""Codes of languages whose label `{{lang-xx}}` shows on the English Wikipedia, with the names of their articles."""

_PAIRS = """
af Afrikaans;sq Albanian;am Amharic;ang Old English;ar Arabic;arc Aramaic;arz Egyptian Arabic;hy Armenian;az Azerbaijani
ba Bashkir;eu Basque;be Belarusian;bn Bengali;bs Bosnian;br Breton;bg Bulgarian;my Burmese;ca Catalan;ceb Cebuano
ce Chechen;cop Coptic;kw Cornish;co Corsican;hr Croatian;cs Czech;da Danish;nl Dutch;en English;eo Esperanto;et Estonian
fo Faroese;fi Finnish;fr French;fy West Frisian;gl Galician;ka Georgian;de German;el Greek;grc Ancient Greek;gu Gujarati
ha Hausa;haw Hawaiian;he Hebrew;hi Hindi;hu Hungarian;is Icelandic;ig Igbo;id Indonesian;ga Irish;it Italian;ja Japanese
jv Javanese;kn Kannada;kk Kazakh;km Khmer;ko Korean;ku Kurdish;ky Kyrgyz;lo Lao;la Latin;lv Latvian;lt Lithuanian
lb Luxembourgish;mk Macedonian;mg Malagasy;ms Malay;ml Malayalam;mt Maltese;mi Māori;mr Marathi;mn Mongolian;ne Nepali
nap Neapolitan;no Norwegian;nb Norwegian Bokmål;nn Norwegian Nynorsk;oc Occitan;os Ossetian;fa Persian;peo Old Persian
pl Polish;ps Pashto;pt Portuguese;pa Punjabi;qu Quechua;ro Romanian;ru Russian;sa Sanskrit;sc Sardinian
gd Scottish Gaelic
sco Scots;sr Serbian;sh Serbo-Croatian;scn Sicilian;sd Sindhi;si Sinhala;sk Slovak;sl Slovene;so Somali;es Spanish
su Sundanese;sw Swahili;sv Swedish;syr Syriac;tl Tagalog;tg Tajik;ta Tamil;tt Tatar;te Telugu;th Thai;bo Tibetan
tr Turkish;ota Ottoman Turkish;tk Turkmen;uk Ukrainian;ur Urdu;ug Uyghur;uz Uzbek;vi Vietnamese;cy Welsh;xh Xhosa
yi Yiddish;yo Yoruba;zu Zulu;zh Chinese;grk Greek;akk Akkadian;sux Sumerian;got Gothic;non Old Norse;fro Old French
""".replace("\n", ";")

NAMES: dict[str, str] = {
    code: name for code, _, name in (pair.partition(" ") for pair in _PAIRS.strip(";").split(";") if pair)
}
