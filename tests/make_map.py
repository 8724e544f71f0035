"""Writes tests/module_map.json and tests/needs.json, which tests hold to the tree.

module_map.json has for every module the tests that are nearest to it (module_map.py). `tests`: test files, the nearest
first and five at most (`python tests/which.py FILE` names all). `through`: no test names the module, these do the
modules that import it. `none`: why there is none. needs.json has the extras that tests need (needs.py).
"""

from module_map import MAP, the_map
from needs import NEEDS, the_needs

if __name__ == "__main__":
    MAP.write_text(the_map(), encoding="utf-8")
    NEEDS.write_text(the_needs(), encoding="utf-8")
