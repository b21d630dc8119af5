"""The named errors: each says what was asked, what is possible and what to do.

The sentence is a template and the numbers are data (`facts`), so that a page can say the same in
another language.
"""


class SimulatorError(Exception):
    """A mistake of the caller's, with its numbers in `facts` and one line of English as its text."""

    sentence = "{asked}"

    def __init__(self, **facts):
        self.facts = facts
        super().__init__(self.sentence.format(**facts))


class BadProblem(SimulatorError, ValueError):
    """A size or option that no attention problem has."""

    sentence = "{name} = {asked} is not possible: {possible}; {remedy}"


class UnknownName(SimulatorError, KeyError):
    """A name that is in no catalogue (a GPU, an algorithm, a storage type)."""

    sentence = "there is no {kind} {asked!r}; choose one of {possible}"

    def __str__(self):                                    # KeyError would quote the sentence
        return self.args[0]


class DoesNotFit(SimulatorError, MemoryError):
    """A tile larger than what is free of its area of the desk."""

    sentence = (
        "{tile} needs {asked_bytes:,} B of {area}, {free_bytes:,} B of {capacity_bytes:,} B are free "
        "(it holds {holding}); choose smaller blocks or fewer stages"
    )


class UsedAfterScope(SimulatorError, RuntimeError):
    """A tile used after the loop iteration or launch that brought it in has ended."""

    sentence = "tile {tile} left the desk when its scope ({scope}) ended; load it again or open the scope further out"


class ArithmeticOnHBM(SimulatorError, TypeError):
    """Arithmetic, conversion or iteration on a tensor or block that lies in HBM."""

    sentence = "{tensor} lies in HBM, where nothing is computed; load a block of it and compute with that"


class WrongShape(SimulatorError, ValueError):
    """A value whose shape is not that of the place it should fill."""

    sentence = "{block} has the shape {possible} but was given {asked}; give it a value of its own shape"


class WrongPlace(SimulatorError, RuntimeError):
    """A memory operation in a place of the program where no GPU could do it."""

    sentence = "{asked} is not possible here: {possible}; {remedy}"


class TooLarge(SimulatorError, ValueError):
    """A run of more tiles than is sensible to execute."""

    sentence = (
        "executing {tiles:,} tiles would take about {seconds:,.0f} s; at most {possible:,} tiles are executed; "
        "choose larger blocks or a smaller N, or ask for the closed form"
    )


class ShelfTooLarge(TooLarge):
    """A model of L2 that would follow more tiles than is sensible."""

    sentence = (
        "following {tiles:,} tiles through L2 would take about {seconds:,.0f} s; at most {possible:,} are followed; "
        "choose larger blocks or a smaller N, or leave the cabinet ruler out"
    )


class MatrixTooLarge(SimulatorError, MemoryError):
    """A run whose largest matrix this computer could not keep."""

    sentence = (
        "executing would keep a matrix of {numbers:,} numbers in this computer's memory; "
        "at most {possible:,} are kept; choose a smaller N, or ask for the closed form"
    )


class BadCommand(SimulatorError, ValueError):
    """A command line that the command does not understand."""

    sentence = "{asked}; possible are {possible}; `{command} --help` says more"


class Missing(SimulatorError, ValueError):
    """A flag that has no default and was left out."""

    sentence = "{asked} left out; this command needs {possible}; add each with its value"
