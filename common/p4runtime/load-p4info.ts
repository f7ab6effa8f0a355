import { InputError } from '../errors';
import { unreachable } from '../assert';
import { P4Info } from './generated/p4/config/v1/p4info';
import { P4RUNTIME_SCHEMA } from './generated/schema';
import { parseJsonFormat } from './json-format';
import { encodeMessage } from './message-encoder';
import type { TreeField } from './message-encoder';
import { parseTextFormat } from './text-format';

/** The forms in which p4c writes P4Info. */
export type P4InfoFormat = 'text' | 'json' | 'binary';

const P4INFO = 'p4.config.v1.P4Info';

/** The format that p4c writes under this file name: it decides by the suffix likewise. */
export function p4InfoFormatOf(fileName: string): P4InfoFormat {
  if (fileName.endsWith('.json')) return 'json';
  return /\.(bin|pb)$/.test(fileName) ? 'binary' : 'text';
}

/**
 * Reads P4Info in any form that p4c writes.
 * @throws InputError naming the line or path of what is wrong.
 */
export function parseP4Info(content: Uint8Array, format: P4InfoFormat): P4Info {
  switch (format) {
    case 'binary':
      return fromBinary(content);
    case 'json': {
      const text = Buffer.from(content).toString('utf8');
      return fromTree(parseJsonFormat(text, P4INFO, P4RUNTIME_SCHEMA));
    }
    case 'text':
      return fromTree(parseTextFormat(Buffer.from(content).toString('utf8')));
    default:
      return unreachable(format);
  }
}

function fromTree(fields: readonly TreeField[]): P4Info {
  return P4Info.deserialize(encodeMessage(fields, P4INFO, P4RUNTIME_SCHEMA));
}

function fromBinary(content: Uint8Array): P4Info {
  try {
    return P4Info.deserialize(content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw new InputError(`this is not a binary P4Info: ${reason}`);
  }
}
