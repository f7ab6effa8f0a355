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

  test('long reasons of a large batch are cut, so that the trailer stays below 64 KB', () => {
    const long = new RpcError('NOT_FOUND', 'x'.repeat(5000));
    const error = new BatchError('write', Outcomes.of(new Array<RpcError>(100).fill(long)));
    const [trailer] = serviceError(error).metadata.get(STATUS_DETAILS_KEY);
    // Binary trailers travel in base64: four characters for three bytes.
    expect(((trailer?.length ?? Infinity) * 4) / 3).toBeLessThan(60_000);
    const messages = detailsOf(error)?.map((each) => each.message);
    expect(new Set(messages)).toEqual(new Set([`${'x'.repeat(239)}…`]));
    expect(detailsOf(new BatchError('write', Outcomes.of([long])))?.[0]?.message).toHaveLength(
      5000,
    );
  });

  test('of a batch that is too large name the first refusals and say how many more there are', () => {
    const gone = new RpcError('NOT_FOUND', 'gone');
    const all = new BatchError('write', Outcomes.of(new Array<RpcError>(5000).fill(gone)));
    const named = detailsOf(all)?.length ?? 0;
    expect(named).toBeGreaterThan(500);
    expect(serviceError(all).details).toBe(
      `write: 5000 of 5000 refused; details of the first ${named}; and ${5000 - named} more refused`,
    );
    const late = Outcomes.of(
      Array.from({ length: 9000 }, (_, i) => (i >= 8990 ? gone : undefined)),
    );
    expect(serviceError(new BatchError('write', late)).details).toBe(
      'write: 10 of 9000 refused; details of the first 1189' +
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
