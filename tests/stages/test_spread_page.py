"""A page whose revisions are spread over files, where only the pages themselves tell."""

import pytest
from exports import export, put
from inline import build, xml_page

from wikiprep.errors import WikiprepError

TEXT = "The [[Sun]] is a star and the [[Moon]] goes around the [[Earth]] once a month, as they say."


@pytest.mark.parametrize(("revision", "words"), [(1002, "comes twice"), (2002, "comes with different revisions")])
def test_a_page_that_ends_one_file_and_begins_another(tmp_path, revision, words):
    moon = xml_page(2, "Moon", TEXT)
    put(tmp_path / "d", "a.xml.bz2", export([xml_page(1, "Sun", TEXT), moon]))
    again = moon.replace("<id>1002</id>", f"<id>{revision}</id>")
    put(tmp_path / "d", "b.xml.bz2", export([again, xml_page(3, "Earth", TEXT)]))
    with pytest.raises(WikiprepError, match=f"page id 2 {words}") as error:
        build(tmp_path / "out", tmp_path / "d")
    assert ("history export" in (error.value.hint or "")) is (revision == 2002)
