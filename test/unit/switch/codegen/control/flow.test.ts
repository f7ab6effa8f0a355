import * as fc from 'fast-check';
import { code } from '../../../../../switch/codegen/text/code';
import { emitBranches, emitFlow } from '../../../../../switch/codegen/control/emit-flow';
import { END, orderFlow } from '../../../../../switch/codegen/control/flow-graph';
import { globalNames } from '../../../../../switch/codegen/layout/global-names';
import { Layout } from '../../../../../switch/codegen/layout/layout';
import { Scope } from '../../../../../switch/codegen/value/scope';
import { Writer } from '../../../../../switch/codegen/text/writer';
import { readProgram } from '../../../../../switch/ir/lowering/read-program';
import { programText } from '../../support/program';

/** Where each block leads: the first way that is open, or else the last one. */
type Ways = readonly (readonly number[])[];

const STEPS_MAX = 50;

/** Walks a flow when `choices` says, block after block, which way is open. */
function walk(ways: Ways, choices: readonly number[]): number[] {
  const visited: number[] = [];
  for (let block = 0; ways[block] !== undefined && visited.length < STEPS_MAX;) {
    const open: readonly number[] = ways[block] ?? [];
    const choice = choices[visited.length % choices.length] ?? 0;
    visited.push(block);
    block = open[Math.min(choice, open.length - 1)] ?? END;
  }
  return visited;
}

/** The text of a flow that notes which blocks it visits. */
function textOf(ways: Ways): string {
  const program = readProgram(programText());
  const globals = globalNames(program);
  const layout = new Layout(program, globals.names);
  const writer = new Writer();
  const scope = new Scope(
    { layout, globals, dropPort: 511, inlined: new Set(), objects: [] },
    writer,
  );
  const flow = {
    start: 0,
    size: ways.length,
    successors: (block: number) => ways[block] ?? [],
    emit: (block: number, goTo: (next: number) => void) => {
      writer.line(code`if (visited.length === ${STEPS_MAX}) return;`);
      writer.line(code`visit(${block});`);
      const open = ways[block] ?? [];
      const branches = open
        .slice(0, -1)
        .map((next, i) => ({ condition: code`choice === ${i}`, next }));
      emitBranches(branches, open.at(-1) ?? END, goTo, scope);
    },
  };
  emitFlow(flow, scope);
  return writer.text();
}

function run(ways: Ways, choices: readonly number[]): number[] {
  const prologue = `
    const visited = [];
    let choice = 0;
    const visit = (block) => {
      choice = choices[visited.length % choices.length];
      visited.push(block);
    };
    (() => {
      ${textOf(ways)}
      visited.push('behind');
    })();
    return visited;`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is what is tested
  const visited = (new Function('choices', prologue) as (choices: readonly number[]) => unknown[])(
    choices,
  );
  return visited.filter((block) => typeof block === 'number');
}

/** Ways from each block to any block, or only to later ones. */
const graphs = (forwardOnly: boolean): fc.Arbitrary<number[][]> =>
  fc.integer({ min: 1, max: 9 }).chain((size) =>
    fc.tuple(
      ...Array.from({ length: size }, (_, block) =>
        fc.array(fc.integer({ min: forwardOnly ? block + 1 : 0, max: size }), {
          minLength: 1,
          maxLength: 3,
        }),
      ),
    ),
  );
const choices = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 12 });

describe('the text of a flow', () => {
  test('visits the same blocks as the flow, when no way leads back', () => {
    fc.assert(
      fc.property(graphs(true), choices, (ways, choice) => {
        expect(run(ways, choice)).toEqual(walk(ways, choice));
      }),
    );
  });

  test('visits the same blocks as the flow, wherever its ways lead', () => {
    fc.assert(
      fc.property(graphs(false), choices, (ways, choice) => {
        expect(run(ways, choice)).toEqual(walk(ways, choice));
      }),
    );
  });

  test('has no loop and each block once, when no way leads back', () => {
    fc.assert(
      fc.property(graphs(true), (ways) => {
        const text = textOf(ways);
        expect(text).not.toContain('for (');
        const blocks = [...text.matchAll(/visit\((\d+)\)/g)].map(([, block]) => block);
        expect(new Set(blocks).size).toBe(blocks.length);
      }),
    );
  });

  test('is empty when nothing is to be done', () => {
    expect(textOf([])).toBe('\n');
  });

  test('jumps only where it would not arrive anyway', () => {
    // A diamond: both ways of block 0 meet in block 3.
    expect(textOf([[1, 2], [3], [3], [END]])).not.toContain('break');
  });
});

describe('the order of a flow', () => {
  const order = (ways: Ways): ReturnType<typeof orderFlow> =>
    orderFlow({ start: 0, size: ways.length, successors: (block) => ways[block] ?? [] });

  test('puts a block where ways meet behind the block that all of them pass', () => {
    const found = order([[1, 2], [3], [3], [4, END], [END]]);
    expect(found?.meetingsBehind(0)).toEqual([3]);
    expect(found?.meetingsBehind(3)).toEqual([END]);
    expect([1, 2, 3, 4].filter((block) => found?.isMeeting(block))).toEqual([3]);
  });

  test.each([
    ['a block that leads to itself', [[0]]],
    ['a longer way back', [[1], [2, END], [0]]],
  ])('does not exist for %s', (_, ways) => {
    expect(order(ways)).toBeUndefined();
  });
});
