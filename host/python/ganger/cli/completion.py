# SPDX-License-Identifier: Apache-2.0
"""completion: what a shell completes, made from the parser."""

import argparse
from typing import Callable, Dict, Iterator, List, Tuple
from .page import Commands, Options, Page, add_command


# One function for bash and zsh. A word is looked up behind the command (and the action of `graph`).
_SCRIPT = """# Completion of `ganger`, made by `ganger completion {shell}`.
{begin}_ganger() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" place="" at words
    for ((at = 1; at < COMP_CWORD; at++)); do
        case "$place ${{COMP_WORDS[at]}}" in
{places}        esac
    done
    case "$place $before" in
{choices}        *)
            case "$place" in
{words}            esac ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _ganger ganger
"""


def subparsers_of(parser: argparse.ArgumentParser) -> Dict[str, argparse.ArgumentParser]:
    """Commands of a parser by name."""
    for action in parser._actions:  # argparse has no other way to them.
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def options_of(parser: argparse.ArgumentParser) -> List[str]:
    """Long options, and those that have no long form."""
    return [action.option_strings[-1] for action in parser._actions if action.option_strings]


def _choices_of(parser: argparse.ArgumentParser) -> Dict[str, List[str]]:
    found = {option: [str(one) for one in action.choices] for action in parser._actions
             for option in action.option_strings if action.choices}
    topics = parser.topics() if isinstance(parser, Page) else []
    return {**found, **({"--help": topics} if topics else {})}


def _walk(parser: argparse.ArgumentParser, place: str = "") -> Iterator[Tuple[str, argparse.ArgumentParser]]:
    """(place, parser) of all commands: "", " run", " graph run"."""
    yield place, parser
    for name, inner in subparsers_of(parser).items():
        yield from _walk(inner, f"{place} {name}")


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a shell."""
    places, choices, words = [], [], []
    for place, one in _walk(parser):
        names = [*subparsers_of(one), *options_of(one)]
        names += [str(word) for action in one._actions if not action.option_strings
                  and action.choices and not subparsers_of(one) for word in action.choices]
        words.append(f"                \"{place}\") words=\"{' '.join(names)}\" ;;\n")
        places += [f"            \"{place} {name}\") place=\"{place} {name}\" ;;\n"
                   for name in subparsers_of(one)]
        choices += [f"        \"{place} {option}\") words=\"{' '.join(found)}\" ;;\n"
                    for option, found in _choices_of(one).items()]
    begin = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return _SCRIPT.format(shell=shell, begin=begin, places="".join(places), choices="".join(choices),
                          words="".join(words))


def add_commands(commands: Commands, make_parser: Callable[[], argparse.ArgumentParser]) -> None:
    """completion."""
    parser = add_command(commands, "completion", lambda options: complete(make_parser(), options),
                         "Print a script for the completion of a shell.",
                         "eval \"$(ganger completion bash)\"")
    parser.add_argument("shell", choices=("bash", "zsh"), help="the shell")


def complete(parser: argparse.ArgumentParser, options: Options) -> int:
    """`ganger completion`."""
    print(script(parser, options.shell), end="")
    return 0
