import { InputError } from '../../../common/errors';
import { DEFAULT_MTU } from '../../../common/topology/topology';
import type { Attachment, SwitchNode } from '../../../common/topology/topology';
import type { Value } from '../../entities/value';
import type { TableEntry } from '../../entities/table-entry';
import { PROGRAM } from '../../program/names';

/**
 * What the data plane cannot measure of a port: whose it is, what its link can carry, its units.
 * @param parameters those that the program's action takes; older programs lack some.
 * @throws InputError when the link's rate is not a whole number of megabits per second.
 */
export function portRecord(
  own: SwitchNode,
  { port, link }: Attachment,
  parameters: readonly string[],
): TableEntry {
  const values = {
    node_id: own.nodeId,
    capacity_mbps: megabits(own, port, link.rate),
    queue_unit_bytes: own.queueDepthUnitBytes,
    clock_unit_ns: own.clockUnitNs,
    mtu: link.mtu ?? DEFAULT_MTU,
    tx_unit_bytes: own.txUnitBytes ?? 1,
  } satisfies Record<string, Value>;
  const taken = Object.entries(values).filter(([name]) => parameters.includes(name));
  return {
    kind: 'table-entry',
    table: PROGRAM.portRecord,
    match: { [PROGRAM.egressPort]: { exact: port } },
    priority: 0,
    action: {
      kind: 'action',
      action: { name: PROGRAM.setPortRecord, arguments: Object.fromEntries(taken) },
    },
  };
}

function megabits(own: SwitchNode, port: number, rate: number): number {
  const mbps = rate / 1e6;
  if (Number.isInteger(mbps) && mbps >= 1 && mbps < 2 ** 32) return mbps;
  const wanted = 'a rate in whole megabits per second, because telemetry carries it so';
  throw new InputError(`switch '${own.name}', port ${port}: wanted ${wanted}, found ${rate} bit/s`);
}
