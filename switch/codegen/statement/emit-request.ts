import { unreachable } from '../../../common/assert';
import { code } from '../text/code';
import { toIndex, wrapUnsigned } from '../value/convert';
import { emitData } from '../expression/emit-expression';
import type { DataExpression } from '../../ir/expressions';
import type { Statement } from '../../ir/statements';
import type { Code } from '../text/code';
import type { Scope } from '../value/scope';

type Request = Extract<
  Statement,
  { kind: 'clone' | 'resubmit' | 'recirculate' | 'digest' | 'truncate' }
>;

/** bmv2 keeps 15 bits of a clone session's id, and 32 of a length. */
const SESSION_BITS = 15;
const LENGTH_BITS = 32;

/** Notes what the architecture has to do behind the pipeline. */
export function emitRequest(statement: Request, scope: Scope): void {
  const value = (node: DataExpression, width = 0): Code => {
    const data = emitData(node, scope);
    return toIndex(width === 0 ? data : wrapUnsigned(data, width, scope));
  };
  const set = (name: Code, to: Code): void =>
    scope.writer.line(code`packet.requests.${name} = ${to};`);
  switch (statement.kind) {
    case 'clone':
      set(code`cloneSession`, value(statement.session, SESSION_BITS));
      set(code`cloneFields`, value(statement.fieldList));
      return;
    case 'resubmit':
      set(code`resubmit`, value(statement.fieldList));
      return;
    case 'recirculate':
      set(code`recirculate`, value(statement.fieldList));
      return;
    case 'digest':
      set(code`digest`, value(statement.digest));
      return;
    case 'truncate': {
      const length = value(statement.length, LENGTH_BITS);
      set(code`truncateTo`, code`Math.min(packet.requests.truncateTo, ${length})`);
      return;
    }
    default:
      unreachable(statement);
  }
}
