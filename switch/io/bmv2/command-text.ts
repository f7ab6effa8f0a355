import type { EntryIdentity, NamedCall, StfRequest } from '../../stf/run/requests';
import type { KeyField } from '../../../common/p4runtime/key-field';

/** In bmv2 the smaller priority wins, so a test's priorities are counted down from here. */
const PRIORITY_ORIGIN = 10_000;

/** Kinds of requests that one command carries out without an answer. */
const PLAIN = [
  'set-default',
  'create-member',
  'mirror',
  'mc-group-create',
  'mc-node-create',
  'mc-node-update',
  'mc-node-associate',
  'counter-write',
  'register-write',
  'register-reset',
  'meter-set-rates',
  'value-set-add',
  'set-queue-rate',
  'set-queue-depth',
] as const;

type PlainRequest = StfRequest & { readonly kind: (typeof PLAIN)[number] };

export const isPlainRequest = (request: StfRequest): request is PlainRequest =>
  PLAIN.some((kind) => kind === request.kind);

/** The command line's text for a request. */
export function commandText(request: PlainRequest): string {
  return words(commandWords(request));
}

/** The text that adds an entry; its answer names the handle. */
export function addEntryText(request: StfRequest & { readonly kind: 'add-entry' }): string {
  const { entry, target } = request;
  const priority = entry.priority === 0 ? [] : [PRIORITY_ORIGIN - entry.priority];
  const key = entry.key.map(keyText);
  switch (target.kind) {
    case 'call': {
      const call = target.arguments.map(hex);
      return words(['table_add', entry.table, target.action, ...key, '=>', ...call, ...priority]);
    }
    case 'member':
      return words(['table_indirect_add', entry.table, ...key, '=>', target.handle, ...priority]);
    case 'group': {
      const command = 'table_indirect_add_with_group';
      return words([command, entry.table, ...key, '=>', target.handle, ...priority]);
    }
  }
}

/** A text that no two entries share. */
export const entryText = ({ table, key, priority }: EntryIdentity): string =>
  words([table, ...key.map(keyText), priority]);

/** Rates as the command line takes them. */
export const ratesText = (request: {
  readonly rates: readonly { readonly perMicrosecond: number; readonly burst: number }[];
}): string[] => request.rates.map(({ perMicrosecond, burst }) => `${perMicrosecond}:${burst}`);

type Words = readonly (string | number)[];

const words = (list: Words): string => list.join(' ');

function commandWords(request: PlainRequest): Words {
  switch (request.kind) {
    case 'set-default':
      return ['table_set_default', request.table, ...callWords(request.call)];
    case 'create-member':
      return ['act_prof_create_member', request.profile, ...callWords(request.call)];
    case 'mirror':
      return mirrorWords(request);
    case 'mc-group-create':
      return ['mc_mgrp_create', request.group];
    case 'mc-node-create':
      return ['mc_node_create', request.rid, ...request.ports];
    case 'mc-node-update':
      return ['mc_node_update', request.node, ...request.ports];
    case 'mc-node-associate':
      return ['mc_node_associate', request.group, request.node];
    case 'counter-write': {
      const { counter, index, bytes, packets } = request;
      return ['counter_write', counter, index, String(bytes), String(packets)];
    }
    case 'register-write':
      return ['register_write', request.register, request.index, String(request.value)];
    case 'register-reset':
      return ['register_reset', request.register];
    case 'meter-set-rates':
      return request.index === undefined
        ? ['meter_array_set_rates', request.meter, ...ratesText(request)]
        : ['meter_set_rates', request.meter, request.index, ...ratesText(request)];
    case 'value-set-add':
      return ['pvs_add', request.valueSet, hex(request.value)];
    case 'set-queue-rate':
      return withPort(['set_queue_rate', request.packetsPerSecond], request.port);
    case 'set-queue-depth':
      return withPort(['set_queue_depth', request.packets], request.port);
  }
}

function mirrorWords({ session, to }: StfRequest & { readonly kind: 'mirror' }): Words {
  if (to === undefined) return ['mirroring_delete', session];
  return 'port' in to
    ? ['mirroring_add', session, to.port]
    : ['mirroring_add_mc', session, to.group];
}

const withPort = (list: Words, port: number | undefined): Words =>
  port === undefined ? list : [...list, port];

const callWords = (call: NamedCall): Words => [call.action, ...call.arguments.map(hex)];

const hex = (value: bigint): string => `0x${value.toString(16)}`;

function keyText(field: KeyField): string {
  switch (field.kind) {
    case 'exact':
      return hex(field.value);
    case 'lpm':
      return `${hex(field.value)}/${field.prefixLength}`;
    case 'ternary':
      return `${hex(field.value)}&&&${hex(field.mask)}`;
    case 'range':
      return `${hex(field.low)}->${hex(field.high)}`;
  }
}
