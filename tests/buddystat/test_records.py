# SPDX-License-Identifier: GPL-2.0-only
def run(tap, tool):
    pass
