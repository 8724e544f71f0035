"""Templates that compute: name in the tables (`@name`) -> function."""

from wikiprep.wikitext.templates.functions import convert, dates, languages, misc
from wikiprep.wikitext.templates.patterns import Renderer

FUNCTIONS: dict[str, Renderer] = {
    "convert": convert.convert,
    "cvt": convert.cvt,
    "as_of": dates.as_of,
    "date": dates.date,
    "death_date": dates.death_date,
    "age": dates.age,
    "circa": dates.circa,
    "reign": dates.reign,
    "floruit": dates.floruit,
    "lang_label": languages.lang_label,
    "langx": languages.langx,
    "zh": languages.zh,
    "nihongo": languages.nihongo,
    "last": misc.last,
    "frac": misc.frac,
    "sfrac": misc.sfrac,
    "val": misc.val,
    "ship": misc.ship,
    "navy": misc.navy,
    "ill": misc.ill,
    "harvtxt": misc.harvtxt,
    "harvnb": misc.harvnb,
    "harv": misc.harv,
    "sic": misc.sic,
    "quote": misc.quote,
    "bulleted": misc.bulleted,
    "number": misc.number,
    "fr_century": misc.fr_century,
    "fr_unit": misc.fr_unit,
}
