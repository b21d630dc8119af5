"""The stage's modules share one scope once they are joined: each name is declared by one module alone."""

import re
from collections import Counter

from lessons.views import stage

DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+|\{[^}]*\}|\[[^\]]*\])", re.MULTILINE)
IMPORTED = re.compile(r"^import \{([^}]*)\} from \"\./(\w+)\.js\";", re.MULTILINE)
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in stage._HERE.glob("*.js")}


def declared(source):
    """Return the names that a module declares at its top level."""
    return [name for found in DECLARED.findall(source) for name in re.findall(r"\w+", found)]


def test_every_module_is_joined():
    assert set(stage._MODULES) == set(SOURCES)


def test_no_two_modules_declare_the_same_name():
    names = Counter(name for source in SOURCES.values() for name in declared(source))
    assert [name for name, times in names.items() if times > 1] == []


def test_what_a_module_imports_the_other_exports():
    for name, source in SOURCES.items():
        for names, other in IMPORTED.findall(source):
            for wanted in re.findall(r"\w+", names):
                assert re.search(rf"^export .*\b{wanted}\b", SOURCES[other], re.MULTILINE), f"{name}: {other}.{wanted}"
