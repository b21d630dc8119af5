"""The stage's modules are joined into one script: all of them, and each uses only what another offers."""

import re

from lessons.views import stage

IMPORTED = re.compile(r"^import \{([^}]*)\} from \"\./(\w+)\.js\";", re.MULTILINE)
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in stage._HERE.glob("*.js")}


def test_every_module_is_joined():
    assert set(stage._MODULES) == set(SOURCES)


def test_what_a_module_imports_the_other_exports():
    for name, source in SOURCES.items():
        for names, other in IMPORTED.findall(source):
            for wanted in re.findall(r"\w+", names):
                assert re.search(rf"^export .*\b{wanted}\b", SOURCES[other], re.MULTILINE), f"{name}: {other}.{wanted}"


def test_no_two_modules_give_a_name_of_their_own_to_different_things():
    given = [name for source in SOURCES.values()
             for name in re.findall(r"^(?:export )?(?:default )?(?:async )?(?:function|class|const|let) (\w+)", source,
                                    re.MULTILINE)]
    assert sorted(given) == sorted(set(given))
