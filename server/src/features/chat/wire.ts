/** Conversations and messages as they are told. */
import type { Chat, ChatMessage, ChatSide } from '@soigne/contract/chat'
import { fileAddress } from '#/features/files/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import type { ChatRow } from './chat-store.ts'
import type { MessageRow } from './message-store.ts'

export function messageForWire(context: AppContext, row: MessageRow): ChatMessage {
  const { fileKey, media, visit } = row
  return {
    _id: row.id,
    chatId: row.chatId,
    senderId: row.senderId ?? '',
    side: row.side,
    seq: row.seq,
    clientId: row.clientId,
    text: row.text,
    media:
      fileKey === null || media === null
        ? null
        : {
            type: media,
            url: fileAddress(context, fileKey),
            name: row.fileName,
            bytes: row.fileBytes ?? 0,
            width: row.width,
            height: row.height,
          },
    visit: visit && { ...visit, startsAt: instantText(parseInstant(visit.startsAt)), endsAt: instantText(parseInstant(visit.endsAt)) },
    freeTime: row.freeTime,
    status: row.status,
    createdAt: row.createdAt,
  }
}

export function chatForWire(context: AppContext, row: ChatRow, { side, last }: { side: ChatSide; last: MessageRow | undefined }): Chat {
  const isShown = last !== undefined && last.seq > row.cleared
  return {
    _id: row.id,
    side,
    institute: {
      _id: row.instituteId,
      slug: row.slug,
      name: row.instituteName,
      coverUrl: row.coverUrl,
      category: row.category,
      city: row.city,
    },
    client: {
      _id: row.clientId,
      name: row.clientName,
      imageUrl: row.clientImageKey === null ? null : fileAddress(context, row.clientImageKey, 96),
    },
    lastMessage: isShown ? messageForWire(context, last) : null,
    unread: row.unread,
    isArchived: row.isArchived,
    isBlocked: row.isBlocked,
    isStopped: row.isStopped,
    isAcquainted: row.isAcquainted,
    updatedAt: row.updatedAt,
  }
}
