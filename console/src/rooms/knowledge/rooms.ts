/** Knowledge: collections, documents, search and the trash. */
import { BookOpen } from 'lucide-react'
import type { Room } from '../room.ts'

export const knowledgeRooms: readonly Room[] = [
  {
    path: '/knowledge',
    title: 'Knowledge',
    permission: 'knowledge:read',
    sidebar: { area: 'Workspace', icon: BookOpen },
    load: () => import('./collections.tsx'),
  },
  {
    path: '/knowledge/new',
    title: 'New collection',
    permission: 'knowledge:write',
    commands: [{ title: 'Create a collection', to: '/knowledge/new' }],
    load: () => import('./new-collection.tsx'),
  },
  {
    path: '/knowledge/collections/$collectionId',
    title: 'Collection',
    permission: 'knowledge:read',
    load: () => import('./collection.tsx'),
  },
  {
    path: '/knowledge/documents/$documentId',
    title: 'Document',
    permission: 'knowledge:read',
    load: () => import('./document.tsx'),
  },
  {
    path: '/knowledge/search',
    title: 'Search the knowledge',
    permission: 'knowledge:read',
    commands: [{ title: 'Search the knowledge', to: '/knowledge/search' }],
    load: () => import('./search.tsx'),
  },
  {
    path: '/knowledge/trash',
    title: 'Trash',
    permission: 'knowledge:read',
    commands: [{ title: 'Restore from the trash', to: '/knowledge/trash' }],
    load: () => import('./trash.tsx'),
  },
]
