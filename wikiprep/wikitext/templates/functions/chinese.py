"""Links to other wikis, lifetimes and labelled words on the Chinese Wikipedia."""

from wikiprep.wikitext.templates.arguments import Arguments

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
    """`{{jpn|j=日本語|hg=にほんご|rm=Nihongo}}`: 日语：日本語／にほんご Nihongo."""
    spellings = "／".join(part for part in (args.first("j", "kj", 1), args.first("hg", "kana", "k")) if part)
    text = " ".join(part for part in (spellings, args.first("rm", "r")) if part)
    return f"[[日语]]：{text}" if text else None


def korean(args: Arguments) -> str | None:
    """`{{kor|k=한국|hj=韓國|rm=Hanguk}}`: 韩语：한국／韓國 Hanguk."""
    spellings = "／".join(part for part in (args.first("k", "hg", 1), args.first("hj", "h")) if part)
    text = " ".join(part for part in (spellings, args.first("rm", "r", "mr")) if part)
    return f"[[朝鲜语]]：{text}" if text else None


def russian_labels(args: Arguments) -> str | None:
    """Russian `{{китайский|трад|упр|пиньинь|палладий}}`: кит. трад. …, упр. …, пиньинь …, палл. …."""
    marks = (("трад. ", args[1]), ("упр. ", args[2]), ("пиньинь ", args[3]), ("палл. ", args[4]))
    parts = [f"{mark}{value}" for mark, value in marks if value]
    return f"[[Китайский язык|кит.]] {', '.join(parts)}" if parts else None


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
    """German `{{zh|t=廣東|v=广东|p=Guǎngdōng|b=…}}`: chinesisch 廣東 / 广东, Pinyin Guǎngdōng – „…“; `c=` is the same
    in both scripts, `kurz=x` leaves the labels out."""
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
