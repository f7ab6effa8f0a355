import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from './paths';

/** Commands of a page that stand in one fence, with what the fence says that they need. */
export interface TutorialBlock {
  readonly step: string;
  readonly needs: readonly string[];
  readonly commands: string;
  /** Lines of output that the page shows below them; `...` stands for any text. */
  readonly shown: readonly string[];
}

const HEADING_OR_FENCE = /^## (.*)$|^```(sh|text)([^\n]*)\n([\s\S]*?)^```$/gm;

/** Pages that teach by commands: docs/tutorial.md and those whose names begin alike. */
export const TUTORIALS: readonly string[] = fs
  .readdirSync(path.join(ROOT, 'docs'))
  .filter((name) => /^tutorial.*\.md$/.test(name))
  .sort();

const SAVED = /ave this as `([^`]+)`[^\n]*\n\n```\w+\n([\s\S]*?)^```$/gm;

/** Files that a page lets its reader save are commands, too. */
const withSavedFiles = (page: string): string =>
  page.replaceAll(SAVED, "\n```sh\ncat > $1 <<'END OF FILE'\n$2END OF FILE\n```");

/** The blocks of a page in their order. A fence `text` is output of the block before it. */
export function tutorialBlocks(page: string): TutorialBlock[] {
  const blocks: TutorialBlock[] = [];
  let step = '';
  for (const [, heading, kind, words = '', body = ''] of withSavedFiles(page).matchAll(
    HEADING_OR_FENCE,
  )) {
    step = heading ?? step;
    if (kind === 'sh') {
      const needs = words.split(' ').filter((word) => word !== '');
      blocks.push({ step, needs, commands: body, shown: [] });
    } else if (kind === 'text') {
      const last = blocks.pop();
      if (last === undefined) throw new Error(`output without commands: ${body}`);
      blocks.push({ ...last, shown: [...last.shown, ...body.trimEnd().split('\n')] });
    }
  }
  return blocks;
}

/** Lines that the page shows and the output does not have, in the page's order and without regard to spaces. */
export function missingLines(shown: readonly string[], output: string): string[] {
  const lines = output.split('\n').map(plain);
  let from = 0;
  return shown.map(plain).filter((line) => {
    if (line === '' || line === '...') return false;
    const pattern = new RegExp(`^${line.split('...').map(escaped).join('.*')}$`);
    const at = lines.findIndex((text, index) => index >= from && pattern.test(text));
    if (at >= 0) from = at + 1;
    return at < 0;
  });
}

const plain = (line: string): string => line.replaceAll(/\s+/g, ' ').trim();
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
