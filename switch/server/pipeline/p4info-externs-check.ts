import { leafWidths } from '../../../common/p4runtime/data-type';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { Program } from '../../ir/nodes';
import { byName, same } from './p4info-difference';

/**
 * Compares the counters, meters, registers, digests and value sets of a P4Info with the program.
 * @throws InputError naming the first difference.
 */
export function checkExterns(info: P4InfoIndex, program: Program): void {
  for (const { name, size } of info.counters.all) {
    same(`counter '${name}': size`, size, byName(`counter '${name}'`, name, program.counters).size);
  }
  for (const { name, size, unit } of info.meters.all) {
    const found = byName(`meter '${name}'`, name, program.meters);
    same(`meter '${name}': size`, size, found.size);
    same(`meter '${name}': unit`, unit, found.unit);
  }
  for (const { name, size, dataType } of info.registers.all) {
    const found = byName(`register '${name}'`, name, program.registers);
    same(`register '${name}': size`, size, found.size);
    if (dataType.kind === 'unsupported') continue;
    same(`register '${name}': width`, leafWidths(dataType).join('+'), String(found.width));
  }
  checkDirectResources(info, program);
  for (const { name, size } of info.valueSets.all) {
    same(
      `value set '${name}': size`,
      size,
      byName(`value set '${name}'`, name, program.valueSets).size,
    );
  }
  for (const { name, dataType } of info.digests.all) {
    const found = byName(`digest '${name}'`, name, [...program.digests.values()]);
    if (dataType.kind === 'unsupported') continue;
    same(`digest '${name}': fields`, leafWidths(dataType).length, found.elements.length);
  }
}

function checkDirectResources(info: P4InfoIndex, program: Program): void {
  const tableName = (id: number): string => info.tables.byNumber(id)?.name ?? `number ${id}`;
  for (const { name, tableId } of info.directCounters.all) {
    const table = byName(`table '${tableName(tableId)}'`, tableName(tableId), program.tables);
    same(`direct counter '${name}': of table '${table.name}'`, true, table.withCounters);
  }
  for (const { name, tableId } of info.directMeters.all) {
    const table = byName(`table '${tableName(tableId)}'`, tableName(tableId), program.tables);
    const found = program.meters[table.directMeter?.meter ?? -1]?.name;
    same(`direct meter of table '${table.name}'`, name, found);
  }
  for (const { name, idleTimeouts } of info.tables.all) {
    const { withIdleTimeout } = byName(`table '${name}'`, name, program.tables);
    same(`table '${name}': idle timeouts`, idleTimeouts, withIdleTimeout);
  }
}
