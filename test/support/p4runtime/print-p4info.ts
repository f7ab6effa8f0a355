import { unreachable } from '../../../common/assert';
import type { P4Info } from '../../../common/p4runtime/generated/p4/config/v1/p4info';
import { P4RUNTIME_SCHEMA } from '../../../common/p4runtime/generated/schema';
import { printJsonFormat } from './json-printer';
import type { P4InfoFormat } from '../../../common/p4runtime/load-p4info';
import { decodeMessage } from './message-decoder';
import { printTextFormat } from './text-printer';

const P4INFO = 'p4.config.v1.P4Info';

/** Writes P4Info in any form that p4c writes; the opposite of `parseP4Info`. */
export function printP4Info(p4info: P4Info, format: P4InfoFormat): Uint8Array {
  const bytes = p4info.serialize();
  if (format === 'binary') return bytes;
  const tree = decodeMessage(bytes, P4INFO, P4RUNTIME_SCHEMA);
  switch (format) {
    case 'json':
      return Uint8Array.from(Buffer.from(printJsonFormat(tree, P4INFO, P4RUNTIME_SCHEMA)));
    case 'text':
      return Uint8Array.from(Buffer.from(printTextFormat(tree)));
    default:
      return unreachable(format);
  }
}
