/** A connection to the Drive peer: what it holds, and a mirror of what is synced from it. */
import type { TestContext as Test } from 'node:test'
import { type DrivePeer, startDrivePeer } from '../../../server/src/testing/peers/google-drive.ts'
import { googleDrive } from '../google-drive/connector.ts'
import type { DriveConfig } from '../google-drive/settings.ts'
import { createMirror, type Mirror, openContext, type TestContext, titlesOf } from './run-source.ts'

export type DriveConnection = {
  peer: DrivePeer
  drive: DrivePeer['drive']
  mirror: Mirror
  context: TestContext<DriveConfig>
  /** Names of the files that are synced, sorted. */
  names(): string[]
  /** Moves the clock on. */
  pass(ms: number): void
}

/** `choose` fills the drive, and answers the folders to sync: none for everything. */
export async function connectDrive(
  t: Test,
  choose: (drive: DrivePeer['drive']) => string[] = () => [],
): Promise<DriveConnection> {
  const peer = await startDrivePeer(t)
  let nowMs = Date.UTC(2026, 1, 1)
  const context = openContext(googleDrive, {
    config: { folderIds: choose(peer.drive) },
    credentials: { kind: 'oauth2', accessToken: peer.token },
    peers: { 'https://www.googleapis.com': peer.origin },
    now: () => nowMs,
  })
  const mirror = createMirror(googleDrive, context)
  return {
    peer,
    drive: peer.drive,
    mirror,
    context,
    names: () => titlesOf(mirror),
    pass: ms => {
      nowMs += ms
    },
  }
}
