"""The MCP door: tools, resources and prompts for agents, over stdio and Streamable HTTP.

https://modelcontextprotocol.io/specification/2026-07-28; clients of 2025-11-25 and before are served as well.
"""
