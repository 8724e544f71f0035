"""Writes tests/module_map.json: for every module the tests that are nearest to it. How: tests/module_map.py.

`tests`: test files, the nearest first and five at most (`python tests/which.py FILE` names all). `through`: no test
names the module, these do the modules that import it. `none`: why there is none.
"""

from module_map import MAP, the_map

if __name__ == "__main__":
    MAP.write_text(the_map(), encoding="utf-8")
