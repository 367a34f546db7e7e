"""The `kg` command: finds the module of a subcommand when it is asked for, not before."""

import importlib
import sys
from typing import Any

import click

from kg import __version__
from kg.errors import KgError

# Subcommand: where it lives and what `kg --help` says of it. The modules import nothing heavy
# until a command runs, and this table spares `kg --help` importing them at all.
_COMMANDS = {
    "build": ("kg.cli.build:build", "Read papers and build or extend a graph."),
    "citations": ("kg.cli.citations:citations", "Which references were matched, and which not."),
    "diff": ("kg.cli.changes:diff", "What differs between two graphs or builds."),
    "eval": ("kg.cli.evaluate:evaluate", "Score extractions against annotation."),
    "export": ("kg.cli.export:export", "Write the graph for other tools."),
    "extract": ("kg.cli.extract:extract", "Read papers, write extractions as JSONL."),
    "formats": ("kg.cli.formats:formats", "The input formats and what each gives."),
    "history": ("kg.cli.changes:history", "The builds of a graph."),
    "info": ("kg.cli.show:info", "What a graph holds."),
    "merges": ("kg.cli.merges:merges", "List, explain, refuse and undo merges."),
    "neo4j": ("kg.cli.neo4j:neo4j", "Load, sync and check a Neo4j database."),
    "query": ("kg.cli.query:query", "Ask in Cypher, or by a canned query's name."),
    "remove": ("kg.cli.build:remove", "Take papers out of a graph."),
    "show": ("kg.cli.show:show", "An entity or a paper with its evidence."),
    "undo": ("kg.cli.changes:undo", "Go back one build."),
    "view": ("kg.cli.view:view", "Render a page."),
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        _keep_lines(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in sorted(_COMMANDS)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KgError as error:
            click.echo(f"Error: {error.problem}\n{error.remedy}", err=True)
            ctx.exit(1)
        except BrokenPipeError:
            # The reader went away, as `head` does; nothing is wrong and nobody is listening.
            sys.stderr.close()
            ctx.exit(0)
        except OSError as error:
            # Of what a user passes or a disk does; what kg foresees of it is a KgError already.
            what = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {what}{error.strerror or error}", err=True)
            click.echo("Check the place, its rights and its free space.", err=True)
            ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("\nInterrupted; what was there before is intact.", err=True)
            ctx.exit(130)


def _keep_lines(command: click.Command) -> None:
    """Let a help text say in a raw string which of its paragraphs keep their lines."""
    if command.help:
        command.help = command.help.replace("\\b\n", "\b\n")
    if isinstance(command, click.Group):
        for each in command.commands.values():
            _keep_lines(each)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kg")
def main() -> None:
    """Build a knowledge graph from a pile of paper abstracts, and ask it.

    Example: kg build listing.txt -o my.kg --view page.html
    """
