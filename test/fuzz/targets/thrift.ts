import * as thrift from 'thrift';
import { ThriftServices } from '../../../switch/server/thrift/services';
import { MessageScanner } from '../../../switch/server/thrift/stream/message-scanner';
import { ThriftMessageError } from '../../../switch/server/thrift/stream/message-scanner';
import { thriftDevice } from '../served-device';
import { readOrRefused, holds } from '../target';
import type { FuzzTarget } from '../target';
import { callNames, exampleCalls } from '../thrift-calls';

/** As the switch has it, but for the limit: inputs are short. */
const MESSAGE_BYTES_MAX = 10_000;

/** Exceptions with which the package refuses messages. */
const { TException, TProtocolException } = thrift.Thrift;

/** Kinds of messages in the binary protocol, in their fourth byte. */
const EXCEPTION = 3;

/** One byte says in pieces of how many bytes the connection brings the rest; 0 for all at once. */
export const target: FuzzTarget = {
  about: 'connections to the Thrift server: framing, and the calls of all three services',
  bytesMax: 400,
  isAsync: true,
  inSuite: 5_000,
  seeds: () => exampleCalls().map((call, i) => Uint8Array.from([i % 2 === 0 ? 0 : 5, ...call])),
  dictionary: callNames,
  start: () => {
    let services = new ThriftServices(thriftDevice(), () => 9090);
    return (input) => {
      const scanner = new MessageScanner(MESSAGE_BYTES_MAX);
      const [pace = 0] = input;
      const size = pace === 0 ? input.length : pace;
      let hasChanged = false;
      const take = (piece: Uint8Array): true => {
        for (const message of scanner.push(piece)) {
          hasChanged ||= !isReading(message);
          services.answer(message, checkAnswer);
        }
        return true;
      };
      for (let at = 1; at < input.length; at += size) {
        const piece = input.slice(at, at + size);
        const went = readOrRefused(() => take(piece), ...REFUSALS);
        if (went === undefined) break;
      }
      if (hasChanged) services = new ThriftServices(thriftDevice(), () => 9090);
    };
  },
};

const REFUSALS = [ThriftMessageError, TException, TProtocolException];

const isReading = (message: Uint8Array): boolean =>
  /:[a-z_]*(get|read|show)/.test(Buffer.from(message).toString('latin1'));

/**
 * Checks an answer instead of a result: there is no such call, a parameter is missing, or the program that
 * was sent is refused. All else is a fault of the services.
 */
function checkAnswer(bytes: Uint8Array): void {
  if (bytes[3] !== EXCEPTION) return;
  const text = Buffer.from(bytes).toString('latin1');
  holds(
    /Unknown function| has no parameter /.test(text) || /bm_(load_new|swap)_config/.test(text),
    () => `the answer is ${text}`,
  );
}
