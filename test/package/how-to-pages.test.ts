import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { sampled } from '../support/sampled';
import { missingLines, tutorialBlocks } from '../support/tutorial-page';
import { Walk } from '../support/walk';

const LIMIT_MS = 600_000;

const read = (name: string): string => fs.readFileSync(path.join(ROOT, 'docs', name), 'utf8');

/** That of algorithms is tried by test/scenario/custom-algorithm.test.ts, without a copy. */
const pages = sampled('pages', ['add-a-command.md', 'add-a-carrier.md'], 2);
const blocks = pages.flatMap((page) =>
  tutorialBlocks(read(page)).map((block) => ({ ...block, step: `${page}: ${block.step}` })),
);

/** One after the other in one copy, as a reader who follows several. */
describe('the pages on adding something, performed in a copy', () => {
  let walk: Walk;

  beforeAll(() => {
    walk = Walk.inCopy();
    walk.run(blocks, LIMIT_MS);
  }, LIMIT_MS);

  afterAll(() => walk.remove());

  test.each(blocks.map((block, i) => [`${block.step}, block ${i + 1}`, i] as const))(
    '%s',
    (_title, i) => {
      const output = walk.outputOf(i);
      const lines = missingLines(blocks[i]?.shown ?? [], output);
      if (lines.length > 0) throw new Error(`not printed:\n${lines.join('\n')}\nbut:\n${output}`);
    },
  );
});
