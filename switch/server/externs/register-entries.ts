import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { RpcError } from '../../../common/p4runtime/codes';
import type { Pause } from '../turns/lazily';
import { cellsOf, indexOf, objectOf, readCells, stateOf } from './array-index';
import type { RunningPipeline } from '../state/running-pipeline';
import { decodeP4Data, encodeP4Data } from '../../../common/p4runtime/p4-data';
import { requireModify } from '../errors/update-rules';
import type { UpdateType } from '../errors/update-rules';

/** Sets one cell of a register or all (P4Runtime 1.5.0, section "RegisterEntry"). @throws RpcError */
export function writeRegister(
  running: RunningPipeline,
  type: UpdateType,
  entry: p4.RegisterEntry,
): void {
  const info = objectOf(running.info.registers, entry.registerId);
  const where = `register '${info.name}'`;
  requireModify(type, where);
  const cells = cellsOf(entry, info.size, where);
  if (!entry.hasData) throw new RpcError('INVALID_ARGUMENT', `${where}: a write wants data`);
  const { kind } = info.dataType;
  if (kind === 'struct' || kind === 'tuple') {
    throw new RpcError('UNIMPLEMENTED', `${where}: a cell that is a ${kind}`);
  }
  const [value = 0n] = decodeP4Data(info.dataType, entry.data, where);
  const register = stateOf(running.control.registers, info);
  for (const cell of cells) register.write(cell, value);
}

/** One cell, all cells of a register, or all registers. @throws RpcError */
export const readRegisters = (
  { info, control }: RunningPipeline,
  filter: p4.RegisterEntry,
): Iterable<p4.RegisterEntry | Pause> =>
  readCells(
    info.registers,
    control.registers,
    { id: filter.registerId, filter },
    (each, register, cell) => {
      const data = encodeP4Data(each.dataType, [register.read(cell) ?? 0n]);
      return new p4.RegisterEntry({ registerId: each.id, index: indexOf(cell), data });
    },
  );
