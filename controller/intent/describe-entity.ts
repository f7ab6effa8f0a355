import { unreachable } from '../../common/assert';
import type { EntityUpdate, FieldMatch, NamedEntity } from './entities';

/** An update in one line: `insert ingress.acl (hdr.ipv4.dst_addr = 10.0.0.0/8)`. */
export function describeUpdate({ type, entity }: EntityUpdate): string {
  return `${type} ${describeEntity(entity)}`;
}

/** What identifies an entity, in one line. */
export function describeEntity(entity: NamedEntity): string {
  switch (entity.kind) {
    case 'table-entry': {
      const fields = Object.entries(entity.match).map(
        ([name, match]) => `${name} = ${describeMatch(match)}`,
      );
      const priority = entity.priority === 0 ? '' : ` at priority ${entity.priority}`;
      return `${entity.table} (${fields.join(', ') || 'any'})${priority}`;
    }
    case 'default-entry':
      return `${entity.table} (default)`;
    case 'member':
      return `${entity.actionProfile} member ${entity.memberId}`;
    case 'group':
      return `${entity.actionProfile} group ${entity.groupId}`;
    default:
      return unreachable(entity);
  }
}

function describeMatch(match: FieldMatch): string {
  if ('exact' in match) return String(match.exact);
  if ('optional' in match) return String(match.optional);
  if ('lpm' in match) return match.lpm.join('/');
  if ('ternary' in match) return match.ternary.join('&&&');
  return match.range.join('..');
}
