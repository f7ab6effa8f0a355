import type { Command } from 'commander';
import { Argument } from 'commander';
import { describePlace } from '../../controller/entities/describe';
import type { NamedEntity } from '../../controller/entities/named-entity';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { P4RuntimeClient } from '../../controller/p4runtime/client';
import { SwitchError } from '../../controller/p4runtime/session/errors';
import type { ReadFilter } from '../../controller/p4runtime/requests/read';
import { plainNumber } from '../../controller/entities/describe-content';
import { forEachSwitch } from '../../controller/io/for-each-switch';
import { loadNetwork } from '../../controller/io/network-file';
import type { PreparedSwitch } from '../../controller/io/prepare';
import { ThriftSwitch } from '../../controller/io/thrift-switch';
import { wholeOption } from '../shared/option-values';
import { withCommonOptions } from './options';
import type { CommonOptions } from './options';
import { jsonText, print } from './output';
import { chosenSwitches, readingFrom } from './targets';

const KINDS = ['counters', 'registers', 'meters'] as const;
type Kind = (typeof KINDS)[number];

interface GetOptions extends CommonOptions {
  readonly switch?: string;
  readonly name?: string;
  readonly index?: number;
}

export function registerGet(parent: Command): void {
  withCommonOptions(parent.command('get'))
    .summary('print counters, registers or meters')
    .description(
      'Prints the cells of indirect counters, registers or meters, and the counters and meters of ' +
        'table entries. bmv2 has no registers over P4Runtime, so there they are read over Thrift.',
    )
    .addArgument(new Argument('<kind>', 'what to read').choices(KINDS))
    .argument('<file>', 'network document')
    .option('--switch <name>', 'only this switch')
    .option('--name <object>', 'only this counter, register or meter')
    .option('--index <n>', 'only this cell', wholeOption)
    .action(async (kind: Kind, file: string, options: GetOptions) => {
      const network = await loadNetwork(file);
      const chosen = chosenSwitches(network, options.switch);
      const found = await forEachSwitch(chosen, async (each) => {
        const at = { ...options, folder: network.folder };
        const cells = await readingFrom(each, at, (client, index) =>
          readCells(client, each, index, { kind, ...options }),
        );
        return { switch: each.spec.node.name, cells };
      });
      if (options.json) print(jsonText({ switches: found }));
      else for (const each of found) printCells(each.switch, each.cells);
    });
}

interface Wanted extends GetOptions {
  readonly kind: Kind;
}

async function readCells(
  client: P4RuntimeClient,
  prepared: PreparedSwitch,
  index: P4InfoIndex,
  wanted: Wanted,
): Promise<readonly NamedEntity[]> {
  const found: NamedEntity[] = [];
  try {
    for (const filter of cellFilters(index, wanted)) {
      for await (const entity of client.read(filter)) found.push(entity);
    }
    return found;
  } catch (error) {
    const { thrift: address, name } = prepared.spec.document;
    const unserved = error instanceof SwitchError && error.codeName === 'UNIMPLEMENTED';
    if (!unserved || wanted.kind !== 'registers' || address === undefined) throw error;
    const thrift = await ThriftSwitch.connect({ name, address, deadline: wanted.deadline });
    try {
      return await registersOver(thrift, index, wanted);
    } finally {
      thrift.close();
    }
  }
}

/** One filter per array, and per table with direct counters or meters. */
function cellFilters(index: P4InfoIndex, wanted: Wanted): readonly ReadFilter[] {
  const { kind, name, index: cell } = wanted;
  const place = cell === undefined ? {} : { index: cell };
  const names = (all: readonly { readonly name: string }[], own?: string): readonly string[] =>
    own === undefined ? all.map((each) => each.name) : [own];
  switch (kind) {
    case 'registers':
      return names(index.registers.all, name).map((register) => {
        return { kind: 'registers', register, ...place };
      });
    case 'counters': {
      const tables = name === undefined ? index.directCounters.all : [];
      return [
        ...names(index.counters.all, name).map(
          (counter) => ({ kind: 'counters', counter, ...place }) as const,
        ),
        ...tables.flatMap(({ tableId }) => tableFilter(index, 'direct-counters', tableId)),
      ];
    }
    case 'meters': {
      const tables = name === undefined ? index.directMeters.all : [];
      return [
        ...names(index.meters.all, name).map(
          (meter) => ({ kind: 'meters', meter, ...place }) as const,
        ),
        ...tables.flatMap(({ tableId }) => tableFilter(index, 'direct-meters', tableId)),
      ];
    }
  }
}

function tableFilter(
  index: P4InfoIndex,
  kind: 'direct-counters' | 'direct-meters',
  tableId: number,
): readonly ReadFilter[] {
  const table = index.tables.byNumber(tableId);
  return table === undefined ? [] : [{ kind, table: table.name }];
}

async function registersOver(
  thrift: ThriftSwitch,
  index: P4InfoIndex,
  { name, index: cell }: Wanted,
): Promise<readonly NamedEntity[]> {
  const registers = name === undefined ? index.registers.all : [index.registers.get(name)];
  const found: NamedEntity[] = [];
  for (const { name: register } of registers) {
    const values = await thrift.readRegister(register);
    values.forEach((value, i) => {
      if (cell === undefined || cell === i) {
        found.push({ kind: 'register', register, index: i, value });
      }
    });
  }
  return found;
}

function printCells(name: string, cells: readonly NamedEntity[]): void {
  for (const cell of cells) print(`${name} ${describePlace(cell)}: ${contents(cell)}`);
}

function contents(cell: NamedEntity): string {
  return isCell(cell) ? cellText(cell) : '';
}

type Cell = Extract<
  NamedEntity,
  { readonly kind: 'counter' | 'direct-counter' | 'meter' | 'direct-meter' | 'register' }
>;

const CELLS: ReadonlySet<string> = new Set<Cell['kind']>([
  'counter',
  'direct-counter',
  'meter',
  'direct-meter',
  'register',
]);

const isCell = (entity: NamedEntity): entity is Cell => CELLS.has(entity.kind);

function cellText(cell: Cell): string {
  switch (cell.kind) {
    case 'counter':
    case 'direct-counter':
      return `${cell.data?.packets ?? 0} packets, ${cell.data?.bytes ?? 0} bytes`;
    case 'meter':
    case 'direct-meter': {
      const { config } = cell;
      if (config === undefined) return 'no limit';
      return `committed ${config.cir}/s burst ${config.cburst}, peak ${config.pir}/s burst ${config.pburst}`;
    }
    case 'register':
      return typeof cell.value === 'object'
        ? jsonText(cell.value)
        : plainNumber(String(cell.value));
  }
}
