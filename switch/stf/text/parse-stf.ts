import { KEYWORDS, parseCommand } from './parse-command';
import { StfError, tokenise } from './tokens';
import { TokenReader } from './token-reader';
import type { Keyword } from './parse-command';
import type { Statement, StfTest } from './statements';
import type { Token } from './tokens';

interface Draft {
  readonly keyword: Keyword;
  readonly line: number;
  readonly tokens: Token[];
}

/**
 * Reads a test in the STF format of the P4 compiler, with the extensions that `docs/stf.md`
 * lists. A line that does not begin with a keyword continues the statement above it.
 * @param file name of the file, for messages.
 * @throws StfError `file:line: wanted …, found …`.
 */
export function parseStf(text: string, file: string): StfTest {
  try {
    return { file, statements: drafts(text).map(parseDraft) };
  } catch (error) {
    throw error instanceof StfError ? error.in(file) : error;
  }
}

function drafts(text: string): Draft[] {
  const found: Draft[] = [];
  text.split('\n').forEach((content, i) => {
    const line = i + 1;
    const keyword = keywordOf(content);
    if (keyword === undefined) {
      continueDraft(found.at(-1), line, content);
      return;
    }
    const rest = content.replace(/^\s*\w+/, '');
    found.push({ keyword, line, tokens: tokenise(line, rest, modeOf(keyword)) });
  });
  return found;
}

function continueDraft(draft: Draft | undefined, line: number, content: string): void {
  if (/^\s*(#.*)?$/.test(content)) return;
  if (draft === undefined) {
    throw new StfError(line, `wanted a keyword such as 'packet', found '${content.trim()}'`);
  }
  draft.tokens.push(...tokenise(line, content, modeOf(draft.keyword)));
}

function keywordOf(content: string): Keyword | undefined {
  const word = /^\s*(\w+)(?![\w.:[])/.exec(content)?.[1]?.toLowerCase();
  return KEYWORDS.find((keyword) => keyword === word);
}

const modeOf = (keyword: Keyword): 'command' | 'data' =>
  keyword === 'packet' || keyword === 'expect' ? 'data' : 'command';

function parseDraft({ keyword, line, tokens }: Draft): Statement {
  const reader = new TokenReader(tokens, line);
  const command = parseCommand(keyword, reader);
  if (!reader.atEnd) reader.fail('the end of the statement');
  return { line, command };
}
