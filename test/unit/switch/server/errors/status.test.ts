import { RpcError, decodeStatusDetails } from '../../../../../common/p4runtime/codes';
import { STATUS_DETAILS_KEY } from '../../../../../common/p4runtime/codes';
import { inState } from '../../../../../switch/server/errors/update-rules';
import { BatchError, Outcomes } from '../../../../../switch/server/errors/outcomes';
import { respond, serviceError } from '../../../../../switch/server/errors/status';
import { StateError } from '../../../../../switch/control/table-control';
import type { StateErrorCode } from '../../../../../switch/control/table-control';

function detailsOf(error: unknown): ReturnType<typeof decodeStatusDetails> {
  const [trailer] = serviceError(error).metadata.get(STATUS_DETAILS_KEY);
  return decodeStatusDetails(trailer instanceof Uint8Array ? trailer : undefined);
}

describe('the status of a call', () => {
  test.each([
    [new RpcError('NOT_FOUND', 'gone'), 5, 'gone'],
    [
      new BatchError('write', Outcomes.of([undefined, new RpcError('NOT_FOUND', 'gone')])),
      2,
      'write: 1 of 2 refused',
    ],
    [new Error('oops'), 13, 'oops'],
    ['odd', 13, 'odd'],
  ])('%s has its code and message', (error, code, details) => {
    expect(serviceError(error)).toMatchObject({ code, details });
  });

  test('only batches have details, one per element', () => {
    expect(detailsOf(new RpcError('NOT_FOUND', 'gone'))).toBeUndefined();
    const outcomes = [undefined, new RpcError('NOT_FOUND', 'gone'), undefined];
    expect(detailsOf(new BatchError('read', Outcomes.of(outcomes)))).toEqual([
      { code: 0, message: '' },
      { code: 5, message: 'gone' },
      { code: 0, message: '' },
    ]);
  });

  /** Bytes of all trailers of an answer as HTTP/2 counts them: 32 for each beside its name and value. */
  const trailerBytes = (error: unknown): number => {
    const { details, metadata } = serviceError(error);
    const [binary] = metadata.get(STATUS_DETAILS_KEY);
    const texts: [string, string][] = [
      [':status', '200'],
      ['content-type', 'application/grpc+proto'],
      ['date', 'Sun, 06 Nov 1994 08:49:37 GMT'],
      ['grpc-status', '2'],
      ['grpc-message', encodeURI(details)],
      [STATUS_DETAILS_KEY, Buffer.from(binary ?? '').toString('base64')],
    ];
    return texts.reduce((sum, [name, value]) => sum + 32 + name.length + value.length, 0);
  };

  test.each([
    ['short reasons', 'gone'],
    ['long reasons', 'x'.repeat(5000)],
    ['reasons that travel encoded', 'é\u{1f600}%'.repeat(500)],
  ])(
    'attack 1: any number of refused updates fits into 8,192 bytes of trailers, with %s',
    (_name, reason) => {
      const refusal = new RpcError('NOT_FOUND', reason);
      for (const count of [1, 2, 45, 46, 47, 60, 100, 130, 161, 1000, 100_000]) {
        const all = new BatchError('write', Outcomes.of(new Array<RpcError>(count).fill(refusal)));
        expect(trailerBytes(all)).toBeLessThan(8_192);
        const late = Outcomes.of(
          Array.from({ length: count }, (_, i) => (i > 0 ? refusal : undefined)),
        );
        expect(trailerBytes(new BatchError('read', late))).toBeLessThan(8_192);
        expect(serviceError(all).details).toContain(`${count} of ${count} refused`);
        expect(detailsOf(all)?.[0]?.code).toBe(5);
      }
      expect(trailerBytes(refusal)).toBeLessThan(8_192);
    },
  );

  test('few refusals keep their reasons whole, and those of many are cut', () => {
    const long = new RpcError('NOT_FOUND', 'x'.repeat(2000));
    expect(detailsOf(new BatchError('write', Outcomes.of([long])))?.[0]?.message).toHaveLength(
      2000,
    );
    const error = new BatchError('write', Outcomes.of(new Array<RpcError>(30).fill(long)));
    expect(new Set(detailsOf(error)?.map((each) => each.message))).toEqual(
      new Set([`${'x'.repeat(77)}...`]),
    );
  });

  test('of a batch that is too large name the first refusals and say how many more there are', () => {
    const gone = new RpcError('NOT_FOUND', 'gone');
    const all = new BatchError('write', Outcomes.of(new Array<RpcError>(5000).fill(gone)));
    const named = detailsOf(all)?.length ?? 0;
    expect(named).toBeGreaterThan(70);
    expect(serviceError(all).details).toBe(
      `write: 5000 of 5000 refused; details of the first ${named}; and ${5000 - named} more refused`,
    );
    const late = Outcomes.of(
      Array.from({ length: 9000 }, (_, i) => (i >= 8990 ? gone : undefined)),
    );
    const before = detailsOf(new BatchError('write', late))?.length ?? 0;
    expect(before).toBeGreaterThan(100);
    expect(serviceError(new BatchError('write', late)).details).toBe(
      `write: 10 of 9000 refused; details of the first ${before}` +
        '; 8991: gone; 8992: gone; 8993: gone; 8994: gone; 8995: gone; and 5 more refused',
    );
  });

  test('a handler answers with what it returns or throws', async () => {
    const answers: unknown[] = [];
    await respond(
      () => 7,
      (error, response) => answers.push([error?.code, response]),
    );
    await respond(
      () => {
        throw new RpcError('ABORTED', 'no');
      },
      (error, response) => answers.push([error?.code, response]),
    );
    expect(answers).toEqual([
      [undefined, 7],
      [10, undefined],
    ]);
  });
});

describe('refusals of the state', () => {
  test.each<[StateErrorCode, string]>([
    ['already-exists', 'ALREADY_EXISTS'],
    ['not-found', 'NOT_FOUND'],
    ['exhausted', 'RESOURCE_EXHAUSTED'],
    ['invalid', 'INVALID_ARGUMENT'],
    ['permission-denied', 'PERMISSION_DENIED'],
  ])('%s becomes %s', (code, codeName) => {
    const refuse = (): never => {
      throw new StateError(code, "table 't': no");
    };
    let caught: unknown;
    try {
      inState("table 't', entry x = 1", refuse);
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ codeName, message: "table 't', entry x = 1: no" });
  });

  test('other errors pass as they are', () => {
    const refuse = (): never => {
      throw new RangeError('defect');
    };
    expect(() => inState('x', refuse)).toThrow(RangeError);
    expect(inState('x', () => 5)).toBe(5);
  });
});
