import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { registerBinary } from '../../../../../../switch/io/tofino-model/chip-registers';
import { MODEL_CHIPS } from '../../../../../../switch/io/tofino-model/chips';

/**
 * Speaks as the harness of the Tofino model does, and sends each packet on by the next port. It
 * knows the commands of a script but no chip, and writes them into the file `COMMANDS`.
 */
const FAKE = `#!/usr/bin/env node
const fs = require('node:fs');
const [, , option, log] = process.argv;
if (option === undefined) process.exit(0);
fs.writeFileSync(log, '');
let line = 0;
let queued = [];
const complain = (text) => process.stderr.write('<stdin>:' + line + ': ' + text + '\\n');
const commands = {
  load: () => process.stderr.write('WARNING: loading binary for 1 does not match model version 2\\n'),
  add: (words) => words[0] === 'full.table' && complain('all ways in use'),
  setdefault: () => undefined,
  wire: () => undefined,
  source: () => undefined,
  selector: () => undefined,
  write_raw_sram: () => undefined,
  packet: ([port, digits]) => queued.push((Number(port) + 1) + ' ' + digits.toUpperCase() + '\\n'),
  wait: () => {
    process.stdout.write('unexpected packet output on port 2:\\n0000  02 00\\n');
    fs.appendFileSync(log, queued.splice(0).join(''));
  },
  check_counter: ([what]) => {
    const [, name, index] = /(.*)\\((\\d+)\\)/.exec(what);
    process.stdout.write('counter ' + name + '(virtual ' + index + '): packets=0\\n');
    process.stdout.write('counter ' + name + '(physical ' + index + '): bytes=90 packets=3\\n');
  },
  check_register: ([what]) => {
    const [, name, index] = /(.*)\\((\\d+)\\)/.exec(what);
    process.stdout.write('register ' + name + '(physical ' + index + '): ' + name + '.f1=7\\n');
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  line += 1;
  const [command, ...words] = text.split(' ');
  if (!/^hpcc_/.test(command)) fs.appendFileSync(process.env.COMMANDS, text + '\\n');
  if (command in commands) commands[command](words);
  else complain('Unknown command ' + command);
});
`;

/** A folder with the fake harness and a program of a few tables. */
export interface FakeModel {
  readonly program: string;
  /** Commands that the harness has been given, without the names of folders. */
  commands(): readonly string[];
  remove(): void;
}

const exact = { name: 'standard_metadata.egress_port', match_type: 'exact', bit_width_full: 9 };
const prefix = { name: 'hdr.ipv4.dst_addr', match_type: 'lpm', bit_width_full: 32 };
const masked = { name: 'port', match_type: 'ternary', bit_width_full: 4 };
const number = { name: 'number', bit_width: 16 };

/** The compiler's account of a program, as far as packet tests need it. */
const CONTEXT = {
  tables: [
    {
      name: 'egress.record',
      table_type: 'match',
      size: 512,
      match_key_fields: [exact],
      actions: [
        { name: 'egress.set', handle: 1, p4_parameters: [number] },
        {
          name: 'egress.fall_back',
          handle: 5,
          p4_parameters: [{ ...number, default_value: '0x7' }],
        },
      ],
      default_action_handle: 5,
    },
    {
      name: 'ingress.ipv4_route',
      table_type: 'match',
      size: 64,
      match_key_fields: [prefix],
      actions: [{ name: 'ingress.forward', handle: 2, p4_parameters: [number] }],
      action_data_table_refs: [{ name: 'ingress.members', how_referenced: 'indirect' }],
      selection_table_refs: [{ name: 'ingress.ecmp', how_referenced: 'indirect' }],
    },
    {
      name: 'ingress.watch',
      table_type: 'match',
      size: 4,
      match_key_fields: [masked],
      actions: [{ name: 'ingress.mark', handle: 3 }],
    },
    {
      name: 'ingress.wide',
      table_type: 'match',
      size: 64,
      match_key_fields: [masked],
      actions: [{ name: 'ingress.note', handle: 6 }],
      match_attributes: {
        stage_tables: [
          { size: 48, pack_format: [{ table_word_width: 376 }] },
          { size: 16, pack_format: [{ table_word_width: 329 }] },
        ],
      },
    },
    {
      name: 'full.table',
      table_type: 'match',
      size: 1,
      match_key_fields: [{ ...masked, match_type: 'exact' }],
      actions: [{ name: 'NoAction', handle: 4 }],
    },
    { name: 'tbl_gateway', table_type: 'match', p4_hidden: true },
    { name: 'ingress.members', table_type: 'action', size: 16 },
    { name: 'ingress.ecmp', table_type: 'selection', size: 16, stage_tables: [{}, {}] },
    { name: 'egress.drops', table_type: 'statistics', size: 5, stage_tables: [] },
    {
      name: 'egress.tx_bytes',
      table_type: 'stateful',
      size: 512,
      stage_tables: [
        {
          stage_number: 3,
          stage_table_type: 'stateful',
          pack_format: [{ entries_per_table_word: 4 }],
          memory_resource_allocation: {
            memory_units_and_vpns: [{ memory_units: [7], vpns: [0] }],
            spare_bank_memory_unit: 9,
          },
        },
      ],
    },
    { name: 'egress.nowhere', table_type: 'stateful', size: 512 },
  ],
};

/** Control of a selector that scrambles hashes. */
const SELECTORS = { tofino: 0x2190e30, tofino2: 0x4173820 };

/** Puts the fake harness of a chip first on PATH. */
export function fakeTofinoModel(target: keyof typeof MODEL_CHIPS = 'tofino'): FakeModel {
  const { harness, binary } = MODEL_CHIPS[target];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-fake-model-'));
  const pipe = path.join(folder, 'pipe');
  fs.mkdirSync(pipe);
  fs.writeFileSync(path.join(pipe, 'context.json'), JSON.stringify({ target, ...CONTEXT }));
  const selector = { address: SELECTORS[target], value: 0x81 };
  fs.writeFileSync(path.join(pipe, binary), registerBinary([selector]));
  fs.writeFileSync(path.join(folder, harness), FAKE, { mode: 0o755 });
  const { PATH: before = '' } = process.env;
  process.env['PATH'] = `${folder}${path.delimiter}${before}`;
  const log = path.join(folder, 'commands');
  process.env['COMMANDS'] = log;
  fs.writeFileSync(log, '');
  return {
    program: folder,
    commands: () =>
      fs
        .readFileSync(log, 'utf8')
        .replaceAll(/^load .*\/pipe$/gm, 'load PIPE')
        .replaceAll(/^load .*\/registers.bin$/gm, 'load REGISTERS')
        .replaceAll(/^source .*\/time$/gm, 'source TIME')
        .split('\n')
        .filter(Boolean),
    remove: () => {
      process.env['PATH'] = before;
      delete process.env['COMMANDS'];
      fs.rmSync(folder, { recursive: true });
    },
  };
}
