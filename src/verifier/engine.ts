import { orAborted } from '../base/async/or-aborted.ts';
import { readTraceparent } from '../base/values/trace-id.ts';
import { traceHeader } from '../client/trace-header.ts';
import { createPassportCache } from '../core/storage/caches.ts';
import { isActiveAt } from '../core/verification/ancestries.ts';
import { evaluatedIntents } from '../core/verification/intent.ts';
import type { VerifyCaller } from '../core/verification/verify-caller.ts';
import type { IdentityError } from '../errors.ts';
import { createElapsedClock } from '../ports/elapsed-clock.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import { type Asking, type Channel, createAsking, createChannel } from './channel.ts';
import { createMemory, type Memory, type Visibility } from './memory.ts';
import type { VerifierSettings } from './options.ts';
import { type Confirmation, createConfirmation, createPipelines, type Pipelines } from './pipeline.ts';
import { createPassportReader, ELSEWHERE, type Reader } from './reader.ts';
import { createRecordSender, type RecordSender } from './sender.ts';

/** A batch of intents. */
export interface Batch {
  readonly intents: readonly Intent[];
}

/** A verify request for one intent or a batch, with its start. */
export interface TimedQuestion {
  /** The instant at which the request began. */
  readonly at: number;
  /** Ends the wait for missing passports. */
  readonly signal: AbortSignal | undefined;
  /** The idempotency key, with which the verdict spends from budgets only once. */
  readonly idempotencyKey?: string | undefined;
  /** The trace id for the verdict record. Default: the option `traceparent`. */
  readonly trace_id?: string | null;
}

/** The parts of a local verifier. Its methods reject with `ELSEWHERE` if the service must be asked. */
export interface Engine {
  readonly elapsed: () => number;
  readonly memory: Memory;
  readonly asking: Asking;
  readonly reader: Reader;
  readonly channel: Channel;
  readonly confirmation: Confirmation;
  readonly sender: RecordSender;
  /**
   * Evaluates an intent with confirmed passports. Returns `undefined` if a passport must be read first. A verdict that
   * is ready before this function returns is filed at once, so the number of `sender.filings` is higher after the call.
   */
  decideKnown(intent: Intent, question: TimedQuestion): Promise<VerdictRecord> | undefined;
  decideOne(intent: Intent, question: TimedQuestion): Promise<VerdictRecord>;
  decideAll(batch: Batch, question: TimedQuestion): Promise<readonly VerdictRecord[]>;
  /** Returns whether the agent and all its ancestors are active, for a request that began at `at`. */
  isActive(agentId: string, atMs: number): Promise<boolean>;
}

/**
 * The maximum number of reads for one request. The first read may be shared with an earlier request, so its state may
 * be too old.
 */
const MAX_READS = 2;

export function createEngine(settings: VerifierSettings): Engine {
  const { traceparent, log, after, random } = settings;
  const elapsedClock = createElapsedClock(settings.clock);
  const { elapsed } = elapsedClock;
  const passports = createPassportCache({
    ...settings.cache,
    monotonic: elapsed,
    isStrict: false,
    deadlineMs: settings.timeoutMs,
    read: async () => Promise.reject(ELSEWHERE),
  });
  const memory = createMemory(passports, elapsed);
  const asking = createAsking({ elapsed, log }, memory.forgetAll);
  const channel = createChannel({ ...settings, elapsed });
  const reader = createPassportReader({ ...settings, channel, memory, asking, elapsed });
  const confirmation = createConfirmation({ memory, reader, asking, elapsed, after });
  // By the clock of the store: that of this machine may be off.
  const clock = { now: () => memory.presentOf(elapsed()) };
  const sender = createRecordSender({ ...settings, channel, asking, clock });
  const { tooOld } = channel;
  const pipelines = createPipelines({
    name: settings.name,
    passports,
    memory,
    reader,
    random,
    elapsedClock,
    tooOld,
    journal: sender,
  });

  const callerFor = createCallers(reader, traceparent, tooOld);

  async function see(agentId: string, atMs: number): Promise<Visibility> {
    let visibility = memory.visibility(agentId, atMs);
    for (let reads = 0; visibility === undefined && reads < MAX_READS; reads += 1) {
      await reader.read(agentId, atMs);
      if (memory.isBlocked(agentId)) throw ELSEWHERE;
      visibility = memory.visibility(agentId, atMs);
    }
    if (visibility === undefined) throw tooOld();
    return visibility;
  }

  function evaluateSeen(
    intent: Intent,
    visibility: Visibility,
    question: TimedQuestion,
  ): Promise<VerdictRecord> {
    confirmation.begin();
    return pipelines[visibility].verifySince(intent, callerFor(question), question.at);
  }

  return {
    elapsed,
    memory,
    asking,
    reader,
    channel,
    confirmation,
    sender,

    decideKnown(intent, question) {
      const { agent_id } = intent;
      if (asking.reason() !== null || isForService(intent) || typeof agent_id !== 'string') return undefined;
      const visibility = memory.isBlocked(agent_id) ? undefined : memory.visibility(agent_id, question.at);
      if (visibility === undefined) return undefined;
      return evaluateSeen(intent, visibility, question);
    },

    async decideOne(intent, question) {
      const { agent_id } = intent;
      const { at: atMs, signal } = question;
      if (isForService(intent) || memory.isBlocked(agent_id)) throw ELSEWHERE;
      let visibility = typeof agent_id === 'string' ? memory.visibility(agent_id, atMs) : undefined;
      if (visibility === undefined) {
        // A malformed intent is refused without a request.
        evaluatedIntents.read(intent);
        visibility = await orAborted(see(agent_id, atMs), signal);
      }
      return evaluateSeen(intent, visibility, question);
    },

    async decideAll(batch, question) {
      const { at: atMs, signal } = question;
      evaluatedIntents.readBatch(batch);
      const { intents } = batch;
      const ids = [...new Set(intents.map(({ agent_id }) => agent_id))];
      if (intents.some(isForService) || ids.some(memory.isBlocked)) throw ELSEWHERE;
      const visibilities = await orAborted(Promise.all(ids.map((id) => see(id, atMs))), signal);
      confirmation.begin();
      const hiddenIds = new Set(ids.filter((_, place) => visibilities[place] === 'hidden'));
      return decideBoth(pipelines, batch, hiddenIds, callerFor(question));
    },

    async isActive(agentId, atMs) {
      if (memory.isBlocked(agentId)) throw ELSEWHERE;
      const visibility = await see(agentId, atMs);
      confirmation.begin();
      if (visibility === 'hidden') return false;
      const { ancestries } = pipelines.seen.modules;
      return isActiveAt(await ancestries.find(agentId, atMs), clock.now());
    },
  };
}

async function decideBoth(
  pipelines: Pipelines,
  { intents }: Batch,
  hiddenIds: ReadonlySet<string>,
  caller: VerifyCaller,
): Promise<readonly VerdictRecord[]> {
  const visibilityOf = ({ agent_id }: Intent): Visibility => (hiddenIds.has(agent_id) ? 'hidden' : 'seen');
  const decide = async (visibility: Visibility, asker: VerifyCaller) => {
    const ownIntents = intents.filter((intent) => visibilityOf(intent) === visibility);
    const records =
      ownIntents.length === 0 ? [] : await pipelines[visibility].verifyBatch({ intents: ownIntents }, asker);
    return records.values();
  };
  const seenRecords = await decide('seen', caller);
  // Those of the others are filed by now: no abort comes between.
  const { signal: _, ...patient } = caller;
  const next = { seen: seenRecords, hidden: await decide('hidden', patient) };
  return intents.map((intent) => next[visibilityOf(intent)].next().value as VerdictRecord);
}

/** Returns `true` if only the service can answer, because it marks proofs as used and signs permits. */
function isForService({ proof, permit }: Intent): boolean {
  return proof !== undefined || permit !== undefined;
}

/**
 * Creates the function that returns the API key as the caller. An earlier check finds out whether the key sees each
 * agent.
 */
function createCallers(
  reader: Reader,
  traceparent: VerifierSettings['traceparent'],
  tooOld: () => IdentityError,
) {
  const ownTrace = (): string | null =>
    traceparent === undefined ? null : readTraceparent(traceHeader(traceparent).traceparent);

  return ({ signal, trace_id = ownTrace(), idempotencyKey }: TimedQuestion): VerifyCaller => {
    const session = reader.session();
    if (session === undefined) throw tooOld();
    const { account_id, key_id, environment } = session;
    return {
      account_id,
      key_id,
      environment,
      trace_id,
      agent_ids: null,
      request_id: null,
      signal,
      idempotencyKey,
    };
  };
}
