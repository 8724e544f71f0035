"""Wikivoyage's listings: what to see, do, eat, buy, where to sleep.

`{{see|name=…|alt=…|address=…|directions=…|phone=…|hours=…|price=…|content=…}}` reads "Name (alt), address (directions),
☎ phone. Hours. Price. Content", as readers see it; addresses of mail and web are left out, as are the marks on a map.
Other languages name the arguments otherwise; those of each are tried in turn.
"""

from wikiprep.wikitext.templates.arguments import Arguments

# What is shown, in its order: the names of its argument in English, German, French, Italian, Spanish, Portuguese,
# Dutch, Polish, Swedish and Russian.
_NAMES = {
    "name": ("name", "nom", "nome", "nombre", "naam", "nazwa", "namn", "название"),
    "alt": ("alt", "alias", "name-local", "nom-local"),
    "address": ("address", "adresse", "indirizzo", "dirección", "direccion", "endereço", "adres", "adress", "адрес"),
    "directions": ("directions", "Anfahrt", "anfahrt", "direction", "indicazioni", "indicaciones", "вехи"),
    "phone": ("phone", "téléphone", "telephone", "tel", "teléfono", "telefone", "telefon", "телефон"),
    "tollfree": ("tollfree", "numero-vert", "numero verde"),
    "hours": ("hours", "horaire", "orari", "horario", "horário", "godziny", "öppettider", "часы работы"),
    "checkin": ("checkin", "arrivée", "check-in"),
    "checkout": ("checkout", "départ", "check-out"),
    "price": ("price", "prix", "prezzo", "precio", "preço", "prijs", "cena", "pris", "цена"),
    "content": (
        *("content", "description", "beschreibung", "descrizione", "descripción", "descripcion", "descrição"),
        *("beschrijving", "opis", "beskrivning", "описание"),
    ),
}


def _argument(args: Arguments, field: str) -> str:
    return args.first(*_NAMES[field])


def listing(args: Arguments) -> str | None:
    """One place. None where it has no name and no words."""
    name, alt, address, directions = (_argument(args, what) for what in ("name", "alt", "address", "directions"))
    words = _argument(args, "content") or args[1]
    head = " ".join(part for part in (f"'''{name}'''" if name else "", f"(''{alt}'')" if alt else "") if part)
    place = " ".join(part for part in (address, f"(''{directions}'')" if directions else "") if part)
    phones = ", ".join(part for part in (_argument(args, "phone"), _argument(args, "tollfree")) if part)
    line = ", ".join(part for part in (head, place, f"☎ {phones}" if phones else "") if part)
    times = ", ".join(
        f"{label}: {value}"
        for label, value in (("check-in", _argument(args, "checkin")), ("check-out", _argument(args, "checkout")))
        if value
    )
    parts = [line, _argument(args, "hours"), times[:1].upper() + times[1:], _argument(args, "price"), words]
    return " ".join(_end_sentence(part) for part in parts if part) or None


def _end_sentence(sentence: str) -> str:
    return sentence if sentence.rstrip("'\"”»)]").endswith((".", "!", "?", "。", "…")) else f"{sentence}."


def marker(args: Arguments) -> str | None:
    """`{{marker|type=see|name=[[Old Town]]|lat=…}}`: the name."""
    return _argument(args, "name") or None


def station(args: Arguments) -> str | None:
    """`{{rint|berlin|U1}}`, `{{IATA|BER}}`: the last word that is given."""
    values = [value for value in args.positional() if value]
    return values[-1] if values else None
