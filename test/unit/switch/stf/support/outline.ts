import type { ProgramOutline } from '../../../../../switch/stf/run/outline';

const send = {
  id: 3,
  name: 'ingress.send',
  parameters: [
    { name: 'port', width: 9 },
    { name: 'mark', width: 8 },
  ],
};
const drop = { id: 4, name: 'ingress.drop', parameters: [] };

/** A program with one of everything that tests may name. */
export const OUTLINE: ProgramOutline = {
  tables: [
    {
      name: 'ingress.exact',
      key: [
        { name: 'hdr.a', matchKind: 'exact', width: 8 },
        { name: 'hdr.b', matchKind: 'lpm', width: 16 },
      ],
      hasPriorities: false,
      actions: [send, drop],
      actionProfile: undefined,
    },
    {
      name: 'ingress.acl',
      key: [{ name: 'hdr.a', matchKind: 'ternary', width: 8 }],
      hasPriorities: true,
      actions: [drop],
      actionProfile: undefined,
    },
    {
      name: 'ingress.indirect',
      key: [{ name: 'hdr.a', matchKind: 'exact', width: 8 }],
      hasPriorities: false,
      actions: [send],
      actionProfile: 'ingress.hops',
    },
  ],
  profiles: [{ name: 'ingress.hops', actions: [send] }],
  counters: [
    { name: 'ingress.seen', table: undefined },
    { name: 'ingress.hits', table: 'ingress.exact' },
  ],
  registers: [{ name: 'ingress.cells' }],
  meters: [{ name: 'ingress.limit' }],
  valueSets: [{ name: 'parser.types', width: 16 }],
  digests: [{ name: 'learned_t' }],
};
