"use client";

import type { Recording } from "@tapedeck/contract/recording.ts";
import { Share2, Trash2 } from "lucide-react";
import { useCan } from "#components/account/use-session.ts";
import { useNavigate } from "#components/navigation/use-navigate.ts";
import { Button } from "#components/ui/button.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { videoPath } from "#lib/client/recordings.ts";
import { FileView } from "./file-view.tsx";
import { RecordingDetails } from "./player/recording-details.tsx";
import { ShareDialog } from "./share/share-dialog.tsx";
import { useDeleteRecordings } from "./use-delete-recordings.ts";
import { VerdictNotice } from "./verdict-notice.tsx";

/** The page of a recording that is no video, below its name. */
export function FilePage({ recording }: { recording: Recording }) {
	const { id, verdict } = recording;
	const goTo = useNavigate();
	const canWrite = useCan("recordings:write");
	const remove = useDeleteRecordings();
	return (
		<>
			<VerdictNotice verdict={verdict} />
			<FileView recording={recording} path={videoPath(id)}>
				{canWrite ? (
					<>
						<DialogButton dialog={(control) => <ShareDialog recordingId={id} player={null} {...control} />}>
							<Share2 aria-hidden className="size-4" />
							Share
						</DialogButton>
						<Button
							variant="ghost"
							className="ms-auto"
							onClick={() => remove([recording], () => void goTo("/recordings"))}
						>
							<Trash2 aria-hidden className="size-4" />
							Delete
						</Button>
					</>
				) : null}
			</FileView>
			<RecordingDetails recording={recording} />
		</>
	);
}
