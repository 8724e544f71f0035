"""Links to other wikis, lifetimes and labelled words on the Chinese Wikipedia."""

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.japanese import full_years, write_date
from wikiprep.wikitext.templates.numbers import format_number

_WORDS = (
    *(("c", "中文"), ("s", "简体中文"), ("t", "繁體中文"), ("p", "拼音")),
    *(("w", "威妥玛拼音"), ("j", "粵拼"), ("poj", "白話字")),
)


def ill(args: Arguments) -> str | None:
    """`{{ill|本地名|en|Foreign|lt=顯示}}`; also with the language first."""
    first, second, third = args[1], args[2], args[3]
    if third and first.isascii() and first.islower() and len(first) < 12 and not second.isascii():
        first = second
    label = args.first("lt", "d")
    return (f"[[{first}|{label}]]" if label else f"[[{first}]]") if first else None


def lifetime(args: Arguments) -> str | None:
    """`{{bd|1920年|1月2日|1999年|3月5日}}`: （1920年1月2日－1999年3月5日）."""
    values = (args.positional() + [""] * 4)[:4]
    born, died = values[0] + values[1], values[2] + values[3]
    return f"（{born}－{died}）" if born or died else None


def labels(args: Arguments) -> str | None:
    """`{{zh|s=…|t=…|p=…}}`: 简体中文：…；繁體中文：…."""
    parts = [f"{label}：{args[key]}" for key, label in _WORDS if args[key]]
    return "；".join(parts) or args[1] or None


def japanese(args: Arguments) -> str | None:
    """`{{jpn|j=日本|kanji=…|kyu=…|kana=…|hg=にほん|rm=Nihon}}`: 日语：日本／にほん Nihon."""
    text = args.first("j", 1)
    for keys in (("kanji",), ("kyu",), ("kana", "kn"), ("hg",), ("hgt",), ("kk",)):
        if value := args.first(*keys):
            text += f"〔{value}〕" if keys[0] in ("kyu", "hgt") else f"／{value}" if text else value
    text = " ".join(part for part in (text, args["rm"]) if part)
    return ("" if args["link"] == "no" else "日语：") + text if text else None


def japanese_in_text(args: Arguments) -> str | None:
    """`{{jp|c=和歌山縣|j=和歌山県|hg=わかやまけん|rm=Wakayama-ken|lead=yes}}`: the Chinese name and `{{jpn}}`.

    The latter is in brackets; without a Chinese name there are none.
    """
    inside = japanese(args) or ""
    if args["lead"] != "yes":
        inside = inside.removeprefix("日语：")
    inside = "，".join(part for part in (inside, args["extra1"]) if part)
    name = args["c"]
    return (f"{name}（{inside}）" if name and inside else name or inside) + args["extra2"] or None


def nihongo(args: Arguments) -> str | None:
    """`{{nihongo|勇者鬥惡龍|ドラゴンクエスト|Dragon Quest}}`: 勇者鬥惡龍（ドラゴンクエスト，Dragon Quest）.

    `romaji=` stands before the third, `extra` behind it, `extra2` after the bracket; `lead=yes` names the language.
    """
    kanji = args[2] and ("日语：" if args["lead"] == "yes" else "") + args[2]
    inside = "，".join(part for part in (kanji, args["romaji"], args[3], args.first(4, "extra")) if part)
    name, after = args[1], args.first(5, "extra2")
    return (f"{name}（{inside}）" if name and inside else name or inside) + after or None


def korean(args: Arguments) -> str | None:
    """`{{kor|k=한국|hj=韓國|rm=Hanguk}}`: 朝鮮語：한국／韓國 Hanguk; 韩语 where `名=南`."""
    spellings = "／".join(
        part for part in (args.first("k", "諺", "谚", 1), args.first("hj", "hanja", "漢", "汉", 2)) if part
    )
    text = " ".join(part for part in (spellings, args.first("rm", "羅", "罗", 3)) if part)
    name = {"南": "韩语", "韩": "韩语", "韓": "韩语", "中": "中国朝鲜语"}.get(args["名"], "朝鮮語")
    unlabelled = args.first("無注", "无注", "link") in ("no", "是")
    return ("" if unlabelled else f"{name}：") + text if text else None


def yuan(args: Arguments) -> str | None:
    """`{{CNY|5000}}`: 人民币5,000元."""
    number = args[1]
    number = format_number(number, "zh") if number.isdecimal() else number
    return f"人民币{number}[[人民币|元]]" if number else None


def yen(args: Arguments) -> str | None:
    """`{{JPY|5000}}`: ¥5,000."""
    number = args[1]
    return f"¥{format_number(number, 'zh') if number.isdecimal() else number}"


def dollars(args: Arguments) -> str | None:
    """`{{US$|5000}}`: 5,000美元; what it is today is left out."""
    number = args[1]
    return f"{format_number(number, 'zh')}美元" if number.isdecimal() else f"{number}美元" if number else "美元"


def station(args: Arguments) -> str | None:
    """`{{站|清水|article|qualifier}}`: the station's short name, linked where its article is said."""
    name, article, qualifier = args[1], args[2], args[3]
    if qualifier:
        article = f"{article or name + '站'} ({qualifier})"
    return (f"[[{article}|{name}]]" if article else name) if name else None


def russian_labels(args: Arguments) -> str | None:
    """Russian `{{китайский|трад|упр|пиньинь|палладий}}`: кит. трад. …, упр. …, пиньинь …, палл. …."""
    marks = (("трад. ", args[1]), ("упр. ", args[2]), ("пиньинь ", args[3]), ("палл. ", args[4]))
    parts = [f"{mark}{value}" for mark, value in marks if value]
    return f"[[Китайский язык|кит.]] {', '.join(parts)}" if parts else None


def vietnamese_labels(args: Arguments) -> str | None:
    """Vietnamese `{{zh|s=…|t=…|p=…|hv=…}}`: giản thể: …; phồn thể: …; bính âm: …; Hán-Việt: …."""
    marks = (
        ("tiếng Trung", "c"),
        ("giản thể", "s"),
        ("phồn thể", "t"),
        ("bính âm", "p"),
        ("Hán-Việt", "hv"),
    )
    return "; ".join(f"{mark}: {args[key]}" for mark, key in marks if args[key]) or args[1] or None


def french_labels(args: Arguments) -> str | None:
    """French `{{chinois|c=…|s=…|t=…|p=…}}`: chinois simplifié : … ; pinyin : …."""
    marks = (
        ("chinois", "c"),
        ("chinois simplifié", "s"),
        ("chinois traditionnel", "t"),
        ("pinyin", "p"),
        ("Wade", "w"),
    )
    parts = [f"{mark} : {args[key]}" for mark, key in marks if args[key]]
    return " ; ".join(parts) or args[1] or None


def german_labels(args: Arguments) -> str | None:
    """German `{{zh|t=廣東|v=广东|p=Guǎngdōng|b=…}}`: chinesisch 廣東 / 广东, Pinyin Guǎngdōng – „…“.

    `c=` is the same in both scripts, `kurz=x` leaves the labels out.
    """
    short = args.on("kurz")
    signs = args["c"] or " / ".join(part for part in (args["t"], args.first("v", "s")) if part) or args[1]
    parts = [signs if short else f"[[Chinesische Sprache|chinesisch]] {signs}"] if signs else []
    marks = (("[[Pinyin]]", "p"), ("T. P.", "tp"), ("W.-G.", "w"), ("Jyutping", "j"))
    parts += [value if short else f"{mark} {value}" for mark, key in marks if (value := args[key])]
    text = ", ".join(parts)
    return f"{text} – „{args['b']}“" if text and args["b"] else text or None


def czech_labels(args: Arguments) -> str | None:
    """Czech `{{Čínsky|znaky=上海|pchin-jin=Shànghǎi}}`: čínsky pchin-jinem Shànghǎi, znaky 上海."""
    simple, traditional = args["zjednodušené"], args["tradiční"]
    both = [f"{word} {value}" for word, value in (("zjednodušené", simple), ("tradiční", traditional)) if value]
    signs = args["znaky"] or ", ".join(both) or args[1]
    pinyin, own = args.first("pchin-jin", "pinyin"), args.first("český přepis", "přepis")
    parts = (
        f"v českém přepisu {own}" if own else "",
        f"[[Pchin-jin|pchin-jinem]] {pinyin}" if pinyin else "",
        f"znaky {signs}" if signs else "",
    )
    text = ", ".join(part for part in parts if part)
    return f"[[Čínština|čínsky]] {text}" if text else None


def as_of(args: Arguments) -> str | None:
    """`{{as of|2010|4}}`: 截至2010年4月."""
    when = write_date(args.positional()[:3])
    return args["alt"] or (f"截至{when}" if when else None)


def death(args: Arguments) -> str | None:
    """`{{death date and age|1999|3|5|1920|1|2}}`: 1999年3月5日（79歲）."""
    values = args.positional()[:6]
    years = full_years(values[3:] + values[:3])
    return write_date(values[:3]) + (f"（{years}歲）" if years is not None else "") or None
