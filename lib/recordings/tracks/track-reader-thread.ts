/** The thread in which tracks are read (track-reader.ts). */
import { answerQuestions } from "#lib/core/worker-thread.ts";
import { findLines, type LineQuery, type NumberedLine, type StoredBlock } from "./find-lines.ts";

export type TrackQuestion = { query: LineQuery; blocks: readonly StoredBlock[] };

answerQuestions<TrackQuestion, NumberedLine[]>(({ query, blocks }) => findLines(query, blocks));
