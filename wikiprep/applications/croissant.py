"""croissant.json: a data set described for machines, Croissant 1.0 of MLCommons (docs.mlcommons.org/croissant).

Every Parquet file is a FileObject with its sha256; a FileSet takes those of a configuration together, and a RecordSet
says what their columns are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "equivalentProperty": "cr:equivalentProperty",
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "samplingRate": "cr:samplingRate",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_PARQUET = "application/x-parquet"


@dataclass(frozen=True, slots=True)
class DataFile:
    """A Parquet file: its path in the folder, size in bytes, sha256 in hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Configuration:
    """A configuration: its name, files, schema, and what each column is."""

    name: str
    files: Sequence[DataFile]
    schema: pa.Schema
    columns: Mapping[str, str]


def croissant(
    *,
    name: str,
    description: str,
    licence: str,
    version: str,
    date: str | None,
    url: str,
    parts: Sequence[Configuration],
) -> dict[str, Any]:
    """The document, JSON-LD. `date`: YYYY-MM-DD of the dump, where it is known."""
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": name,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "description": description,
        "license": licence,
        "url": url,
        "version": version,
        "distribution": [node for part in parts for node in _distribution(part)],
        "recordSet": [_record_set(part) for part in parts],
    }
    if date:
        document["datePublished"] = date
    return document


def _distribution(part: Configuration) -> list[dict[str, Any]]:
    files = [
        {
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path,
            "contentUrl": file.path,
            "contentSize": f"{file.size} B",
            "encodingFormat": _PARQUET,
            "sha256": file.sha256,
        }
        for file in part.files
    ]
    file_set = {
        "@type": "cr:FileSet",
        "@id": f"files-of-{part.name}",
        "name": f"files-of-{part.name}",
        "encodingFormat": _PARQUET,
        "includes": f"{part.name}/*.parquet",
    }
    return [*files, file_set]


def _record_set(part: Configuration) -> dict[str, Any]:
    """Lists of structures have no words in Croissant 1.0 that its reader takes: they are described, and no fields."""
    plain = [field for field in part.schema if not _is_nested(field.type)]
    nested = [f"{field.name}: {part.columns.get(field.name, '')}" for field in part.schema if _is_nested(field.type)]
    more = f" Its columns of structures are in the files, and no fields here: {'; '.join(nested)}." if nested else ""
    return {
        "@type": "cr:RecordSet",
        "@id": part.name,
        "name": part.name,
        "description": f"The {part.name} of the corpus.{more}",
        "field": [_field(part, field) for field in plain],
    }


def _is_nested(kind: pa.DataType) -> bool:
    return bool(pa.types.is_struct(kind) or (pa.types.is_list(kind) and _is_nested(kind.value_type)))


def _field(part: Configuration, field: pa.Field) -> dict[str, Any]:
    kind, repeated = _type(field.type)
    node: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{part.name}/{field.name}",
        "name": field.name,
        "description": part.columns.get(field.name, field.name),
        "dataType": kind,
        "source": {"fileSet": {"@id": f"files-of-{part.name}"}, "extract": {"column": field.name}},
    }
    return node | ({"repeated": True} if repeated else {})


def _type(kind: pa.DataType) -> tuple[str, bool]:
    """Of Croissant, and whether there are several."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _type(kind.value_type)[0], True
    if pa.types.is_integer(kind):
        return "sc:Integer", False
    if pa.types.is_floating(kind):
        return "sc:Float", False
    return ("sc:Boolean" if pa.types.is_boolean(kind) else "sc:Text"), False
