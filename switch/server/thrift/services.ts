import * as thrift from 'thrift';
import { SimplePreLag, SimpleSwitch, Standard } from '../../../common/thrift/io/generated-code';
import { counterCalls, registerCalls } from './array-calls';
import { deviceCalls } from './device-calls';
import { directTableCalls } from './direct-table-calls';
import { entryResourceCalls } from './entry-resource-calls';
import { hashCalls } from './hash-calls';
import { indirectTableCalls } from './indirect-table-calls';
import { meterCalls } from './meter-calls';
import { multicastCalls } from './multicast-calls';
import { profileCalls } from './profile-calls';
import { asHandler } from './service-calls';
import { simpleSwitchCalls } from './simple-switch-calls';
import { ThriftMessageError, isTypeOfValue } from './stream/message-scanner';
import { tableReadCalls } from './table-read-calls';
import type { ThriftTarget } from './target';
import { valueSetCalls } from './value-set-calls';

interface Processor {
  registerProcessor(name: string, processor: object): void;
  process(input: thrift.TProtocol, output: thrift.TProtocol): void;
}

/** The parts of the package that its type declarations leave out. */
interface Undeclared {
  MultiplexedProcessor: new () => Processor;
  readonly TBufferedTransport: {
    receiver(take: (transport: thrift.TTransport) => void): (data: Buffer) => void;
  };
}

/**
 * The binary protocol with its version in front. Without one, the first four bytes would be a
 * length, and whoever speaks another protocol would be waited for instead of sent away.
 */
class StrictProtocol extends thrift.TBinaryProtocol {
  constructor(transport: thrift.TTransport) {
    super(transport, true, true);
    const skip = this.skip.bind(this);
    // A property: the package hands a copy on, which has no methods of classes.
    this.skip = (type) => {
      if (!isTypeOfValue(type)) throw otherElements();
      skip(type);
    };
  }

  /** The package takes any name apart, and stumbles over one without method or of an object's own. */
  override readMessageBegin(): thrift.TMessage {
    const begin = super.readMessageBegin();
    if (!CALL_NAME.test(begin.fname)) {
      const wanted = 'wanted SERVICE:METHOD with one of the three services';
      throw new ThriftMessageError(`${wanted}, found '${begin.fname.slice(0, NAME_SHOWN)}'`);
    }
    return begin;
  }
}

const CALL_NAME = /^(standard|simple_pre_lag|simple_switch):/;
/** Characters of a name that an error repeats. */
const NAME_SHOWN = 40;

/** Answers the calls of bmv2's three services, whoever carries them. */
export class ThriftServices {
  readonly #processor: Processor;

  /** @param thriftPort where the services listen, for those who ask. */
  constructor(target: ThriftTarget, thriftPort: () => number) {
    this.#processor = processor(target, thriftPort);
  }

  /**
   * Answers one whole message, perhaps later.
   * @throws ThriftMessageError, TException or TProtocolException: what its message is refused with.
   */
  answer(message: Uint8Array, write: (bytes: Uint8Array) => void): void {
    const { TBufferedTransport } = thrift as unknown as Undeclared;
    const outgoing = new thrift.TBufferedTransport(undefined, (bytes) => {
      if (bytes !== undefined) write(bytes);
    });
    const receive = TBufferedTransport.receiver((incoming) => {
      this.#processor.process(new StrictProtocol(incoming), new StrictProtocol(outgoing));
    });
    try {
      receive(Buffer.from(message));
    } catch (error) {
      throw isUnderrun(error) ? otherElements() : error;
    }
  }
}

/**
 * Generated code takes elements of lists for what the call declares, whatever type the message says they
 * have, so that it may read beyond the end of a whole message, or meet what is no value.
 */
const otherElements = (): ThriftMessageError =>
  new ThriftMessageError('a list has elements of another type than its call declares');

/** The package does not export this error. */
const isUnderrun = (error: unknown): boolean =>
  (error as Partial<Error> | undefined)?.name === 'InputBufferUnderrunError';

function processor(target: ThriftTarget, thriftPort: () => number): Processor {
  const { MultiplexedProcessor } = thrift as unknown as Undeclared;
  const multiplexed = new MultiplexedProcessor();
  const standard = {
    ...directTableCalls(target),
    ...indirectTableCalls(target),
    ...profileCalls(target),
    ...tableReadCalls(target),
    ...entryResourceCalls(target),
    ...registerCalls(target),
    ...counterCalls(target),
    ...meterCalls(target),
    ...valueSetCalls(target),
    ...hashCalls(target),
    ...deviceCalls(target, thriftPort),
  };
  const lag = multicastCalls(target);
  const simpleSwitch = simpleSwitchCalls(target);
  multiplexed.registerProcessor('standard', new Standard.Processor(asHandler(standard)));
  multiplexed.registerProcessor('simple_pre_lag', new SimplePreLag.Processor(asHandler(lag)));
  multiplexed.registerProcessor(
    'simple_switch',
    new SimpleSwitch.Processor(asHandler(simpleSwitch)),
  );
  return multiplexed;
}
