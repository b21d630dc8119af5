"""Cuts the fonts anew: python -m lessons.views.fonts [NotoSansCJK-Regular.ttc]."""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

from lessons.views.fonts import FACES, font, wanted

DEBIAN = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"      # package fonts-noto-cjk


def cut(collection: Path, lang: str, target: Path) -> int:
    """Writes one face of a TrueType collection cut to a language's characters; returns its size in bytes."""
    name = f"Noto Sans CJK {FACES[lang]}"
    face = next(one for one in TTCollection(collection).fonts if one["name"].getDebugName(1).startswith(name))
    options = subset.Options(layout_features=["kern"], hinting=False, desubroutinize=True, notdef_outline=True,
                             name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[ord(sign) for sign in wanted(lang)])
    cutter.subset(face)
    face.save(target)
    return target.stat().st_size


def main(collection: str = DEBIAN) -> None:
    """Cuts each face into this folder and prints its size."""
    for lang in FACES:
        target = font(lang)
        print(f"{target.name}: {cut(Path(collection), lang, target):,} B")


if __name__ == "__main__":
    main(*sys.argv[1:])
