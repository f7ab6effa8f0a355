import type { Layout } from '../../common/wire/layout';
import {
  TRANSPORT,
  TOKEN,
  COOKIE,
  AUTHENTICATION,
  WINDOW_RECORD,
  LOAD_RATIO,
  SWITCH_RESPONSE_HEAD,
  SELECTIVE_ACK,
  PATH_SHIM,
  ROCE_REQUEST,
  ROCE_RESPONSE,
  TRANSPORT_TYPES,
} from '../../common/wire/transport-layouts';

/** All layouts, in the order of the docs. */
export const LAYOUTS: readonly Layout[] = [
  TRANSPORT,
  TOKEN,
  COOKIE,
  AUTHENTICATION,
  WINDOW_RECORD,
  LOAD_RATIO,
  SWITCH_RESPONSE_HEAD,
  SELECTIVE_ACK,
  PATH_SHIM,
  ROCE_REQUEST,
  ROCE_RESPONSE,
];

/** `flowId` as `flow_id`: names of the dissector's fields. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** Tables of Lua from which the dissector declares and reads fields. */
export function luaTables(): string {
  const layouts = LAYOUTS.map(({ name, title, size, fields }) => {
    const rows = fields
      .filter(({ as }) => as !== 'reserved')
      .map(
        (field) =>
          `    { "${snakeCase(field.name)}", ${field.bit}, ${field.bits}, "${field.as}" },`,
      );
    return [`  ${name} = { title = "${title}", size = ${size},`, ...rows, '  },'].join('\n');
  });
  const types = TRANSPORT_TYPES.map(({ type, kind, flags }) => {
    const rows = flags.map(({ name, mask }) => {
      const lowest = mask & -mask;
      const width = Math.log2(mask / lowest + 1);
      const first = 8 - Math.log2(lowest) - width;
      return `    { "${snakeCase(name)}", ${first}, ${width} },`;
    });
    return [`  [${type}] = { kind = "${kind}",`, ...rows, '  },'].join('\n');
  });
  return ['local layouts = {', ...layouts, '}', 'local transport_types = {', ...types, '}'].join(
    '\n',
  );
}

const hexMask = (mask: number): string => `0x${mask.toString(16).padStart(2, '0')}`;

function fieldTable({ title, name, size, fields }: Layout): string {
  const rows = fields.map(
    ({ name: field, bit, bits, as, text }) =>
      `| ${Math.floor(bit / 8)}${bit % 8 === 0 ? '' : `.${bit % 8}`} | ${bits} | ${as === 'reserved' ? 'reserved' : `\`${field}\``} | ${as} | ${text} |`,
  );
  return [
    `**${title}** (\`${name}\`, ${size} bytes)`,
    '',
    '| byte.bit | bits | field | kind | meaning |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** Tables of docs/wire-formats.md: types, their flags, and the fields of every layout. */
export function formatTables(): string {
  const types = TRANSPORT_TYPES.map(
    ({ type, kind, direction, sequence, body }) =>
      `| ${type} | ${kind} | ${direction} | ${sequence} | ${body} |`,
  );
  const flags = TRANSPORT_TYPES.flatMap(({ kind, flags: own }) =>
    own.map(({ name, mask, text }) => `| ${kind} | ${hexMask(mask)} | \`${name}\` | ${text} |`),
  );
  return [
    '| type | kind | direction | sequence | body |',
    '|---|---|---|---|---|',
    ...types,
    '',
    '| kind | flag | name | meaning |',
    '|---|---|---|---|',
    ...flags,
    '',
    ...LAYOUTS.flatMap((layout) => [fieldTable(layout), '']),
  ]
    .join('\n')
    .trimEnd();
}

/** A generated part of a file, between two lines that stay. */
export interface GeneratedPart {
  readonly file: string;
  readonly begin: string;
  readonly end: string;
  readonly text: () => string;
}

export const GENERATED_PARTS: readonly GeneratedPart[] = [
  {
    file: 'docs/wireshark/hpcc.lua',
    begin:
      '-- begin of the layouts, made by npm run wire-docs from common/wire/transport-layouts.ts',
    end: '-- end of the layouts',
    text: luaTables,
  },
  {
    file: 'docs/wire-formats.md',
    begin:
      '<!-- begin of the tables, made by npm run wire-docs from common/wire/transport-layouts.ts -->',
    end: '<!-- end of the tables -->',
    text: () => `\n${formatTables()}\n`,
  },
];

/** The file's text with the part made anew; throws if its lines are missing. */
export function withPart(text: string, { file, begin, end, text: made }: GeneratedPart): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} has no lines "${begin}" and "${end}"`);
  return `${text.slice(0, from + begin.length)}\n${made()}\n${text.slice(to)}`;
}
