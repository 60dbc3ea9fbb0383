# SPDX-License-Identifier: Apache-2.0
"""Parsers of commands, whose help fits a screen of 24 lines: `--help` shows the usual options and the names of the
others, `--help TOPIC` what those of a topic mean."""

import argparse
import textwrap
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NoReturn, Optional, Sequence, Union

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Page"]  # What commands are added to.
else:
    Commands = Any

Options = argparse.Namespace  # What the words of a command line say.
COLUMNS = 80


class _Help(argparse.Action):
    """--help, and --help TOPIC. A word that is no topic is taken for the command's."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Options, values: Union[str, Sequence[Any], None],
                 option_string: Optional[str] = None) -> None:
        topic = parser.topic(values) if isinstance(parser, Page) and isinstance(values, str) else ""
        print(topic or parser.format_help(), end="")
        parser.exit()


def _listed(actions: Sequence[argparse.Action]) -> str:
    """A line for each, or more where it does not fit."""
    formatter = argparse.HelpFormatter("", max_help_position=24, width=COLUMNS)
    formatter.start_section(None)
    formatter.add_arguments(actions)
    formatter.end_section()
    return formatter.format_help().strip("\n")


def _commands(action: "argparse._SubParsersAction[Any]") -> str:
    """A line for each command, one for neighbours that say the same."""
    names: Dict[str, List[str]] = {}
    for one in action._choices_actions:
        names.setdefault(str(one.help), []).append(one.dest)
    return "\n".join(f"  {', '.join(of):11} {text}" for text, of in names.items())


class Page(argparse.ArgumentParser):
    """The parser of a command. Its argument groups are topics; so are the texts that tell() is given."""

    def __init__(self, **keywords: Any):
        super().__init__(add_help=False, **keywords)
        self._told: Dict[str, str] = {}
        self.add_argument("-h", "--help", action=_Help, nargs="?", metavar="TOPIC", help=argparse.SUPPRESS)

    def tell(self, topic: str, text: str) -> None:
        """Adds a topic that is a text."""
        self._told[topic] = text

    def _groups(self) -> Dict[str, List[argparse.Action]]:
        """The options of each group that is a topic."""
        usual = (self._positionals, self._optionals)
        return {str(group.title): group._group_actions for group in self._action_groups if group not in usual}

    def topic(self, name: str) -> str:
        """The page of a topic; "" if there is none of that name."""
        group = self._groups().get(name)
        text = _listed(group) if group else self._told.get(name, "")
        return f"{self.prog}: {name}\n\n{text}\n" if text else ""

    def topics(self) -> List[str]:
        """Names of all topics."""
        return [*self._told, *self._groups()]

    def format_usage(self) -> str:
        """One line: what must be given. The options that may be are on the page."""
        if self.usage is not None:
            return f"usage: {self.usage}\n"
        words = [f"{one.option_strings[-1]} {one.metavar}" for one in self._actions
                 if one.option_strings and one.required]
        for one in self._actions:
            if not one.option_strings:
                name = str(one.metavar or one.dest.upper())
                words.append(f"[{name}]" if one.nargs == "?" else name)
        return " ".join(["usage:", self.prog, "[OPTION…]", *words]) + "\n"

    def error(self, message: str) -> NoReturn:
        """Ends the command; the message says where to read on."""
        super().error(f"{message} (`{self.prog} --help` tells more)")

    def format_help(self) -> str:
        """The page of the command."""
        groups = self._groups()
        rare = [one for group in groups.values() for one in group]
        usual = sorted((one for one in self._actions if one not in rare),
                       key=lambda one: (bool(one.option_strings), "--json" in one.option_strings))
        inner = [one for one in usual if isinstance(one, argparse._SubParsersAction)]
        parts = [self.format_usage().rstrip(), self.description, _commands(inner[0]) if inner else _listed(usual)]
        more = [*self._told, *(f"{name}: {' '.join(one.option_strings[-1] for one in group)}"
                               for name, group in groups.items())]
        if more:
            lines = [textwrap.fill(line, COLUMNS, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
                     for line in more]
            parts.append("\n".join(["more, told by `--help TOPIC`:", *lines]))
        between = "\n" if inner else "\n\n"  # The list of commands needs the room.
        return between.join(part for part in [*parts, self.epilog] if part) + "\n"


def add_command(commands: Commands, name: str, function: Callable[[Options], int], text: str,
                example: str = "") -> Page:
    """A parser of a command; every one of them takes --json."""
    parser = commands.add_parser(name, help=text, description=text, epilog=f"example: {example}" if example else None)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(function=function)
    return parser
