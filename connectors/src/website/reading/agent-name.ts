/** The name under which sites can speak to this program, in their robots.txt and in their pages. */
export const agentName = 'Atrium'
