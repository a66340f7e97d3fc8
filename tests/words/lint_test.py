#!/usr/bin/env python3
"""What lint.py finds and what it leaves alone. Run: python3 tests/words/lint_test.py"""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # no __pycache__ in the source tree
import lint

FORBIDDEN = lint.read_forbidden("wants -> needs\ngo back -> return\na row a test -> one row per test\n")
LONG = "Of " + " ".join(["of"] * 30) + "."


def found(text):
    return [(line, rule) for line, rule, _ in lint.findings(text, FORBIDDEN)]


class words(unittest.TestCase):
    def test_are_found_whole_and_in_any_case(self):
        self.assertEqual(found("It wants.\n\nWants it?\n"), [(1, "word"), (3, "word")])
        self.assertEqual(found("Unwanted, wantsome, un-wants.\n"), [])

    def test_are_found_across_a_line_end(self):
        self.assertEqual(found("They go\nback, a row a\ntest.\n"), [(1, "word"), (2, "word")])

    def test_are_found_in_tables_and_headings(self):
        self.assertEqual(found("# It wants\n\n| it wants |\n"), [(1, "word"), (3, "word")])

    def test_are_not_looked_for_in_code_and_targets_of_links(self):
        self.assertEqual(found("`it wants`, [x](it-wants.md)\n\n```\nwants\n```\n<!-- wants -->\n"), [])

    def test_behind_a_block_of_code_are_found(self):
        self.assertEqual(found("```cpp\n`wants\n```\nwants\n"), [(4, "word")])

    def test_come_with_advice(self):
        self.assertEqual(lint.findings("it wants", FORBIDDEN), [(1, "word", "'wants': needs")])


class sentences(unittest.TestCase):
    def test_of_thirty_words_are_fine(self):
        self.assertEqual(found(" ".join(["of"] * 30) + ".\n"), [])
        self.assertEqual(found("Short.\n" + LONG + "\n"), [(2, "sentence")])

    def test_end_at_paragraphs_items_headings_and_tables(self):
        half = " ".join(["of"] * 16)
        for between in ("\n\n", "\n- ", "\n1. ", "\n# x\n", "\n| a |\n", "\n```\nx\n```\n"):
            self.assertEqual(found(half + between + half + "\n"), [], between)

    def test_do_not_end_at_abbreviations_and_numbers(self):
        half = " ".join(["of"] * 16)
        self.assertEqual(found(f"{half} (Name et al. 2001) {half}\n"), [(1, "sentence")])
        self.assertEqual(found(f"{half} 2.5 {half}\n"), [(1, "sentence")])
        self.assertEqual(found(f"{half}. {half}\n"), [])
        self.assertEqual(found(f"{half}. `code` {half}\n"), [])
        self.assertEqual(found(f"{half}. [page.md](page.md) {half}\n"), [])

    def test_count_code_as_one_word_and_dashes_as_none(self):
        self.assertEqual(found(" ".join(["of"] * 29) + " `a b c d` - :\n"), [])

    def test_of_tables_are_not_counted(self):
        self.assertEqual(found("| " + LONG + " |\n"), [])


class columns(unittest.TestCase):
    def test_count_outside_of_code_only(self):
        wide = "x" * 141
        self.assertEqual(found(wide + "\n"), [(1, "column")])
        self.assertEqual(found("é" * 140 + "\n"), [])
        self.assertEqual(found("```\n" + wide + "\n```\n"), [])
        self.assertEqual(found("```\nx\n```\n| " + wide + " |\n"), [(4, "column")])


class lists(unittest.TestCase):
    def test_a_line_without_advice_is_refused(self):
        with self.assertRaisesRegex(lint.usage_error, "forbidden.txt:2: 'told'"):
            lint.read_forbidden("# x\ntold\n")

    def test_an_unknown_rule_is_refused(self):
        with self.assertRaisesRegex(lint.usage_error, "not_yet.txt:1: there is no rule 'spelling'"):
            lint.read_not_yet("a.md: spelling\n")

    def test_a_file_that_need_not_obey_has_no_findings_of_that_rule(self):
        not_yet = lint.read_not_yet("a.md: sentence\n")
        self.assertEqual(lint.check("a.md", LONG, FORBIDDEN, not_yet), [])
        self.assertEqual(len(lint.check("b.md", LONG, FORBIDDEN, not_yet)), 1)

    def test_a_file_that_obeys_leaves_the_list(self):
        said = lint.check("a.md", "Short.", FORBIDDEN, lint.read_not_yet("\na.md: word\n"))
        self.assertEqual(said, ["tests/words/not_yet.txt:2: stale: 'a.md' obeys the rule 'word'; remove it from the line"])

    def test_those_of_the_project_are_read(self):
        self.assertTrue(lint.read_forbidden((lint.HERE / "forbidden.txt").read_text(encoding="utf-8")))
        lint.read_not_yet((lint.HERE / "not_yet.txt").read_text(encoding="utf-8"))


class exit_codes(unittest.TestCase):
    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = lint.main(list(arguments))
        return code, out.getvalue(), err.getvalue()

    def test_are_0_fine_1_a_finding_2_usage(self):
        with tempfile.TemporaryDirectory() as folder:
            fine, wrong = Path(folder) / "fine.md", Path(folder) / "wrong.md"
            fine.write_text("Fine.\n", encoding="utf-8")
            wrong.write_text("Fine.\n" + "x" * 141 + "\n", encoding="utf-8")
            self.assertEqual(self.run_main(str(fine)), (0, "", ""))
            code, out, _ = self.run_main(str(fine), str(wrong))
            self.assertEqual((code, out), (1, f"{wrong.resolve()}:2: column: 141 columns; break the line or split the table at 140\n"))
            code, out, err = self.run_main(str(Path(folder) / "none.md"))
            self.assertEqual((code, out), (2, ""))
            self.assertIn("there is no file", err)
            self.assertEqual(self.run_main("--what")[0], 2)
            self.assertEqual(self.run_main("--help")[0], 0)


if __name__ == "__main__":
    unittest.main()
