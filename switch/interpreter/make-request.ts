import { unreachable } from '../../common/assert';
import { evaluateData } from './evaluate-expression';
import type { Statement } from '../ir/statements';
import type { InterpretedPacket } from './interpreted-packet';

/** bmv2 keeps 15 bits of a clone session's id. */
const SESSION_BITS = 15;

type Request = Extract<
  Statement,
  { kind: 'clone' | 'resubmit' | 'recirculate' | 'digest' | 'truncate' }
>;

/** Notes what the architecture shall do behind the pipeline. The last call of a kind wins. */
export function makeRequest(statement: Request, packet: InterpretedPacket): void {
  const { requests } = packet;
  switch (statement.kind) {
    case 'clone': {
      const session = evaluateData(statement.session, packet);
      requests.cloneSession = Number(BigInt.asUintN(SESSION_BITS, session));
      requests.cloneFields = Number(evaluateData(statement.fieldList, packet));
      return;
    }
    case 'resubmit':
      requests.resubmit = Number(evaluateData(statement.fieldList, packet));
      return;
    case 'recirculate':
      requests.recirculate = Number(evaluateData(statement.fieldList, packet));
      return;
    case 'digest':
      requests.digest = Number(evaluateData(statement.digest, packet));
      return;
    case 'truncate': {
      // Of several lengths the smallest counts.
      const length = Number(BigInt.asUintN(32, evaluateData(statement.length, packet)));
      requests.truncateTo = Math.min(requests.truncateTo, length);
      return;
    }
    default:
      unreachable(statement);
  }
}
