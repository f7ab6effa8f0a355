import * as fs from 'node:fs';
import * as path from 'node:path';
import { P4_PROFILES } from '../../common/io/p4-profiles';
import { repositoryRoot } from '../../common/io/repository';

export const TABLES_PAGE = path.join(repositoryRoot(), 'docs', 'p4-tables.md');

const HEAD = `# Tables of the P4 programs

[Deploy](index.md#deploy) · [tutorial](tutorial-deploy.md)

Every table that P4Info shows to controllers, with its key and match kinds, its actions with their parameters in bits, its
entries at most, and the programs that have it; [p4.md](p4.md) and [int.md](int.md) say what they mean. An action in
brackets is for misses alone. This page is made from \`p4src/artifacts\`, by \`npm run api\`.
`;

interface Named {
  readonly id: number;
  readonly name: string;
}

interface P4InfoFile {
  readonly tables?: readonly {
    readonly preamble: Named;
    readonly matchFields?: readonly {
      readonly name: string;
      readonly bitwidth: number;
      readonly matchType: string;
    }[];
    readonly actionRefs?: readonly { readonly id: number; readonly scope?: string }[];
    readonly implementationId?: number;
    readonly size?: string;
    readonly isConstTable?: boolean;
  }[];
  readonly actions?: readonly {
    readonly preamble: Named;
    readonly params?: readonly { readonly name: string; readonly bitwidth: number }[];
  }[];
  readonly actionProfiles?: readonly { readonly preamble: Named }[];
}

/** Rows of the tables of a program, by the name of the table. */
export function tableRows(profile: string): ReadonlyMap<string, readonly string[]> {
  const file = path.join(repositoryRoot(), 'p4src', 'artifacts', `${profile}.p4info.json`);
  const {
    tables = [],
    actions = [],
    actionProfiles = [],
  } = JSON.parse(fs.readFileSync(file, 'utf8')) as P4InfoFile;
  const actionText = (id: number, scope: string | undefined): string => {
    const { preamble, params = [] } = actions.find((each) => each.preamble.id === id) ?? {};
    const short = preamble?.name.split('.').at(-1) ?? '';
    const given = params.map(({ name, bitwidth }) => `${name}: ${bitwidth}`).join(', ');
    const text = `\`${short}(${given})\``;
    return scope === 'DEFAULT_ONLY' ? `[${text}]` : text;
  };
  const rows = tables.map((table): [string, string[]] => {
    const { preamble, matchFields = [], actionRefs = [], implementationId, size = '' } = table;
    const key = matchFields.map(
      ({ name, bitwidth, matchType }) => `\`${name}\`: ${matchType.toLowerCase()} ${bitwidth}`,
    );
    const selector = actionProfiles.find((each) => each.preamble.id === implementationId);
    const through = selector === undefined ? '' : `members of \`${selector.preamble.name}\`: `;
    const choices = actionRefs.map(({ id, scope }) => actionText(id, scope)).join(', ');
    const keyText = key.length === 0 ? 'none: default action' : key.join(', ');
    const entries = key.length === 0 ? '' : table.isConstTable === true ? 'constant' : size;
    return [preamble.name, [keyText, through + choices, entries]];
  });
  return new Map(rows);
}

/** The text of docs/p4-tables.md. */
export function tablesPage(): string {
  const found = new Map<string, { readonly cells: readonly string[]; readonly in: string[] }>();
  for (const { name: profile } of P4_PROFILES) {
    for (const [table, cells] of tableRows(profile)) {
      const id = [table, ...cells].join('|');
      const known = found.get(id) ?? { cells: [`\`${table}\``, ...cells], in: [] };
      known.in.push(`\`${profile}\``);
      found.set(id, known);
    }
  }
  const heads = ['table', 'key', 'actions', 'entries', 'programs'];
  const rows = [...found.values()].map(({ cells, in: programs }) => [
    ...cells,
    programs.length === P4_PROFILES.length ? 'all' : programs.join(', '),
  ]);
  const lines = [heads, heads.map(() => '---'), ...rows];
  return `${HEAD}\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
